"""Scripts written for Paddle run here unchanged: `import paddle`, how they start, which names they use."""
