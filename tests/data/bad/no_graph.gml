Creator "me"
