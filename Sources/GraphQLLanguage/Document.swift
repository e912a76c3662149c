// The syntax tree, its parser and its printers.
