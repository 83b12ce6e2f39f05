"""The studio's server: recipes in, layers out, over HTTP and WebSocket on this machine alone."""
