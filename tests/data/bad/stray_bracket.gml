graph [
node [ id ]
]
