"""What the programs for Blender share."""
