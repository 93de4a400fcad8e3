graph [
{}
]
