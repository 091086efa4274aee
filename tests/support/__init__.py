"""What several tests need and no test is in: any of them may import it; nothing in it imports a test."""
