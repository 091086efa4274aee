"""What every tool says things with: numbers, shapes, titles, symbols, language."""
