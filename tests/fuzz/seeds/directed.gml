graph [
  directed 1
  node [ id 5 label "a&quot;&#233;" colour "red" graphics [ x 1.0 ] ]
  node [ id 7 label "b" ]
  edge [ source 5 target 7 weight 0.5 kind 3 ]
]
