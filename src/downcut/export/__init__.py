"""Export hands a Terrain over as files; it never knows a step."""
