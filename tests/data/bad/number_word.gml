graph [
node [ id 12abc ]
]
