"""The texts that all tools share: numbers, shapes, titles, symbols, tables, expressions, language."""
