graph [
directed 2
]
