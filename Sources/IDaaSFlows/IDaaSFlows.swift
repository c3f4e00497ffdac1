internal import JWTCore
