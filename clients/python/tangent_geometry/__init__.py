"""A client of Tangent, the collision-query service: one method for each operation, and types for all that it takes and gives.

    tangent = Tangent("http://127.0.0.1:3000")
    tangent.distance({"a": {"shape": {"type": "point"}}, "b": {"shape": {"type": "circle", "radius": 1}}})

Requests and answers are the JSON of the service, as dicts and lists. Their types are in ``tangent_geometry.types``.
"""

from .client import Tangent
from .transport import TangentError

__all__ = ["Tangent", "TangentError"]
