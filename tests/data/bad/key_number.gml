graph [
5 6
]
