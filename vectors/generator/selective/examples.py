"""The examples of RFC 9901 and of the European wallet's library, with their own signatures."""

import json

from ..encoding import base64url, unbase64url
from .suite import RFC, SelectiveSuite

# RFC 9901 appendix A.5: the issuer's key of all its examples.
ISSUER_KEY = {"kty": "EC", "crv": "P-256", "x": "b28d4MwZMjw8-00CG4xfnn9SLMVMM19SlqZpVb_uNtQ",
              "y": "Xv5zWwuoaTgdS6hV43yI6gBwTnjukmFQQnJ_kCxzqk8"}
# Sections 5.1 and 5.2, with the signatures of an earlier draft over the same payloads; appendices A.1, A.2, A.3 and A.4.
ISSUANCE = (
    "eyJhbGciOiAiRVMyNTYiLCAidHlwIjogImV4YW1wbGUrc2Qtand0In0.eyJfc2QiOiBbIkNyUWU3UzVrcUJBSHQtbk1ZWGdjNmJkdDJTSDVhVFkxc1VfTS1QZ2tqUEkiLC"
    "AiSnpZakg0c3ZsaUgwUjNQeUVNZmVadTZKdDY5dTVxZWhabzdGN0VQWWxTRSIsICJQb3JGYnBLdVZ1Nnh5bUphZ3ZrRnNGWEFiUm9jMkpHbEFVQTJCQTRvN2NJIiwgIlRH"
    "ZjRvTGJnd2Q1SlFhSHlLVlFaVTlVZEdFMHc1cnREc3JaemZVYW9tTG8iLCAiWFFfM2tQS3QxWHlYN0tBTmtxVlI2eVoyVmE1TnJQSXZQWWJ5TXZSS0JNTSIsICJYekZyen"
    "dzY002R242Q0pEYzZ2Vks4QmtNbmZHOHZPU0tmcFBJWmRBZmRFIiwgImdiT3NJNEVkcTJ4Mkt3LXc1d1BFemFrb2I5aFYxY1JEMEFUTjNvUUw5Sk0iLCAianN1OXlWdWx3"
    "UVFsaEZsTV8zSmx6TWFTRnpnbGhRRzBEcGZheVF3TFVLNCJdLCAiaXNzIjogImh0dHBzOi8vaXNzdWVyLmV4YW1wbGUuY29tIiwgImlhdCI6IDE2ODMwMDAwMDAsICJleH"
    "AiOiAxODgzMDAwMDAwLCAic3ViIjogInVzZXJfNDIiLCAibmF0aW9uYWxpdGllcyI6IFt7Ii4uLiI6ICJwRm5kamtaX1ZDem15VGE2VWpsWm8zZGgta284YUlLUWM5RGxH"
    "emhhVllvIn0sIHsiLi4uIjogIjdDZjZKa1B1ZHJ5M2xjYndIZ2VaOGtoQXYxVTFPU2xlclAwVmtCSnJXWjAifV0sICJfc2RfYWxnIjogInNoYS0yNTYiLCAiY25mIjogey"
    "Jqd2siOiB7Imt0eSI6ICJFQyIsICJjcnYiOiAiUC0yNTYiLCAieCI6ICJUQ0FFUjE5WnZ1M09IRjRqNFc0dmZTVm9ISVAxSUxpbERsczd2Q2VHZW1jIiwgInkiOiAiWnhq"
    "aVdXYlpNUUdIVldLVlE0aGJTSWlyc1ZmdWVjQ0U2dDRqVDlGMkhaUSJ9fX0.GhUbWZvUw7I6ndaIK6rtU1rDEOkjqFuSXl_J5cuDkmnKt9jhZ3v5sghdwZ1WKH-g-4kna5"
    "7RgWEl7YHlr-IZqw~WyIyR0xDNDJzS1F2ZUNmR2ZyeU5STjl3IiwgImdpdmVuX25hbWUiLCAiSm9obiJd~WyJlbHVWNU9nM2dTTklJOEVZbnN4QV9BIiwgImZhbWlseV9u"
    "YW1lIiwgIkRvZSJd~WyI2SWo3dE0tYTVpVlBHYm9TNXRtdlZBIiwgImVtYWlsIiwgImpvaG5kb2VAZXhhbXBsZS5jb20iXQ~WyJlSThaV205UW5LUHBOUGVOZW5IZGhRIi"
    "wgInBob25lX251bWJlciIsICIrMS0yMDItNTU1LTAxMDEiXQ~WyJRZ19PNjR6cUF4ZTQxMmExMDhpcm9BIiwgInBob25lX251bWJlcl92ZXJpZmllZCIsIHRydWVd~WyJB"
    "SngtMDk1VlBycFR0TjRRTU9xUk9BIiwgImFkZHJlc3MiLCB7InN0cmVldF9hZGRyZXNzIjogIjEyMyBNYWluIFN0IiwgImxvY2FsaXR5IjogIkFueXRvd24iLCAicmVnaW"
    "9uIjogIkFueXN0YXRlIiwgImNvdW50cnkiOiAiVVMifV0~WyJQYzMzSk0yTGNoY1VfbEhnZ3ZfdWZRIiwgImJpcnRoZGF0ZSIsICIxOTQwLTAxLTAxIl0~WyJHMDJOU3JR"
    "ZmpGWFE3SW8wOXN5YWpBIiwgInVwZGF0ZWRfYXQiLCAxNTcwMDAwMDAwXQ~WyJsa2x4RjVqTVlsR1RQVW92TU5JdkNBIiwgIlVTIl0~WyJuUHVvUW5rUkZxM0JJZUFtN0F"
    "uWEZBIiwgIkRFIl0~")
PRESENTATION = (
    "eyJhbGciOiAiRVMyNTYiLCAidHlwIjogImV4YW1wbGUrc2Qtand0In0.eyJfc2QiOiBbIkNyUWU3UzVrcUJBSHQtbk1ZWGdjNmJkdDJTSDVhVFkxc1VfTS1QZ2tqUEkiLC"
    "AiSnpZakg0c3ZsaUgwUjNQeUVNZmVadTZKdDY5dTVxZWhabzdGN0VQWWxTRSIsICJQb3JGYnBLdVZ1Nnh5bUphZ3ZrRnNGWEFiUm9jMkpHbEFVQTJCQTRvN2NJIiwgIlRH"
    "ZjRvTGJnd2Q1SlFhSHlLVlFaVTlVZEdFMHc1cnREc3JaemZVYW9tTG8iLCAiWFFfM2tQS3QxWHlYN0tBTmtxVlI2eVoyVmE1TnJQSXZQWWJ5TXZSS0JNTSIsICJYekZyen"
    "dzY002R242Q0pEYzZ2Vks4QmtNbmZHOHZPU0tmcFBJWmRBZmRFIiwgImdiT3NJNEVkcTJ4Mkt3LXc1d1BFemFrb2I5aFYxY1JEMEFUTjNvUUw5Sk0iLCAianN1OXlWdWx3"
    "UVFsaEZsTV8zSmx6TWFTRnpnbGhRRzBEcGZheVF3TFVLNCJdLCAiaXNzIjogImh0dHBzOi8vaXNzdWVyLmV4YW1wbGUuY29tIiwgImlhdCI6IDE2ODMwMDAwMDAsICJleH"
    "AiOiAxODgzMDAwMDAwLCAic3ViIjogInVzZXJfNDIiLCAibmF0aW9uYWxpdGllcyI6IFt7Ii4uLiI6ICJwRm5kamtaX1ZDem15VGE2VWpsWm8zZGgta284YUlLUWM5RGxH"
    "emhhVllvIn0sIHsiLi4uIjogIjdDZjZKa1B1ZHJ5M2xjYndIZ2VaOGtoQXYxVTFPU2xlclAwVmtCSnJXWjAifV0sICJfc2RfYWxnIjogInNoYS0yNTYiLCAiY25mIjogey"
    "Jqd2siOiB7Imt0eSI6ICJFQyIsICJjcnYiOiAiUC0yNTYiLCAieCI6ICJUQ0FFUjE5WnZ1M09IRjRqNFc0dmZTVm9ISVAxSUxpbERsczd2Q2VHZW1jIiwgInkiOiAiWnhq"
    "aVdXYlpNUUdIVldLVlE0aGJTSWlyc1ZmdWVjQ0U2dDRqVDlGMkhaUSJ9fX0.GhUbWZvUw7I6ndaIK6rtU1rDEOkjqFuSXl_J5cuDkmnKt9jhZ3v5sghdwZ1WKH-g-4kna5"
    "7RgWEl7YHlr-IZqw~WyJlbHVWNU9nM2dTTklJOEVZbnN4QV9BIiwgImZhbWlseV9uYW1lIiwgIkRvZSJd~WyJBSngtMDk1VlBycFR0TjRRTU9xUk9BIiwgImFkZHJlc3Mi"
    "LCB7InN0cmVldF9hZGRyZXNzIjogIjEyMyBNYWluIFN0IiwgImxvY2FsaXR5IjogIkFueXRvd24iLCAicmVnaW9uIjogIkFueXN0YXRlIiwgImNvdW50cnkiOiAiVVMifV"
    "0~WyIyR0xDNDJzS1F2ZUNmR2ZyeU5STjl3IiwgImdpdmVuX25hbWUiLCAiSm9obiJd~WyJsa2x4RjVqTVlsR1RQVW92TU5JdkNBIiwgIlVTIl0~eyJhbGciOiAiRVMyNTY"
    "iLCAidHlwIjogImtiK2p3dCJ9.eyJub25jZSI6ICIxMjM0NTY3ODkwIiwgImF1ZCI6ICJodHRwczovL3ZlcmlmaWVyLmV4YW1wbGUub3JnIiwgImlhdCI6IDE3MjA0MzU5"
    "MzYsICJzZF9oYXNoIjogIjNvc0U3T2I0VHJqcW80ckJHdkRfMWJkQ0lhTEY4cFB5Wlk3RUctcVBYN1UifQ.MBXm8GktzZw6GKCD_X2zUqec9oWXHGD0K77HzKLehoOsIVU"
    "I8dbP_ruNWDX8nfZ6G3s06iFlxRNLO76nGo51Mw")
STRUCTURED = (
    "eyJhbGciOiAiRVMyNTYiLCAidHlwIjogImV4YW1wbGUrc2Qtand0In0.eyJfc2QiOiBbIkM5aW5wNllvUmFFWFI0Mjd6WUpQN1FyazFXSF84YmR3T0FfWVVyVW5HUVUiLC"
    "AiS3VldDF5QWEwSElRdlluT1ZkNTloY1ZpTzlVZzZKMmtTZnFZUkJlb3d2RSIsICJNTWxkT0ZGekIyZDB1bWxtcFRJYUdlcmhXZFVfUHBZZkx2S2hoX2ZfOWFZIiwgIlg2"
    "WkFZT0lJMnZQTjQwVjd4RXhad1Z3ejd5Um1MTmNWd3Q1REw4Ukx2NGciLCAiWTM0em1JbzBRTExPdGRNcFhHd2pCZ0x2cjE3eUVoaFlUMEZHb2ZSLWFJRSIsICJmeUdwMF"
    "dUd3dQdjJKRFFsbjFsU2lhZW9iWnNNV0ExMGJRNTk4OS05RFRzIiwgIm9tbUZBaWNWVDhMR0hDQjB1eXd4N2ZZdW8zTUhZS08xNWN6LVJaRVlNNVEiLCAiczBCS1lzTFd4"
    "UVFlVTh0VmxsdE03TUtzSVJUckVJYTFQa0ptcXhCQmY1VSJdLCAiaXNzIjogImh0dHBzOi8vaXNzdWVyLmV4YW1wbGUuY29tIiwgImlhdCI6IDE2ODMwMDAwMDAsICJleH"
    "AiOiAxODgzMDAwMDAwLCAiYWRkcmVzcyI6IHsiX3NkIjogWyI2YVVoelloWjdTSjFrVm1hZ1FBTzN1MkVUTjJDQzFhSGhlWnBLbmFGMF9FIiwgIkF6TGxGb2JrSjJ4aWF1"
    "cFJFUHlvSnotOS1OU2xkQjZDZ2pyN2ZVeW9IemciLCAiUHp6Y1Z1MHFiTXVCR1NqdWxmZXd6a2VzRDl6dXRPRXhuNUVXTndrclEtayIsICJiMkRrdzBqY0lGOXJHZzhfUE"
    "Y4WmN2bmNXN3p3Wmo1cnlCV3ZYZnJwemVrIiwgImNQWUpISVo4VnUtZjlDQ3lWdWIyVWZnRWs4anZ2WGV6d0sxcF9KbmVlWFEiLCAiZ2xUM2hyU1U3ZlNXZ3dGNVVEWm1X"
    "d0JUdzMyZ25VbGRJaGk4aEdWQ2FWNCIsICJydkpkNmlxNlQ1ZWptc0JNb0d3dU5YaDlxQUFGQVRBY2k0MG9pZEVlVnNBIiwgInVOSG9XWWhYc1poVkpDTkUyRHF5LXpxdD"
    "d0NjlnSkt5NVFhRnY3R3JNWDQiXX0sICJfc2RfYWxnIjogInNoYS0yNTYifQ.JwMde4aGprmyUSPPl4SB5Woe7cBBzxEYyIUiMApNTMZuYjdKjoJ09F1V5KQ0Q0d6AzvMC"
    "uZBEQSxuhJwQVZRMg~WyJHMDJOU3JRZmpGWFE3SW8wOXN5YWpBIiwgInJlZ2lvbiIsICJcdTZlMmZcdTUzM2EiXQ~WyJsa2x4RjVqTVlsR1RQVW92TU5JdkNBIiwgImNvd"
    "W50cnkiLCAiSlAiXQ~")
COMPLEX = (
    "eyJhbGciOiAiRVMyNTYiLCAidHlwIjogImV4YW1wbGUrc2Qtand0In0.eyJfc2QiOiBbIi1hU3puSWQ5bVdNOG9jdVFvbENsbHN4VmdncTEtdkhXNE90bmhVdFZtV3ciLC"
    "AiSUticllObjN2QTdXRUZyeXN2YmRCSmpERFVfRXZRSXIwVzE4dlRScFVTZyIsICJvdGt4dVQxNG5CaXd6TkozTVBhT2l0T2w5cFZuWE9hRUhhbF94a3lOZktJIl0sICJp"
    "c3MiOiAiaHR0cHM6Ly9pc3N1ZXIuZXhhbXBsZS5jb20iLCAiaWF0IjogMTY4MzAwMDAwMCwgImV4cCI6IDE4ODMwMDAwMDAsICJ2ZXJpZmllZF9jbGFpbXMiOiB7InZlcm"
    "lmaWNhdGlvbiI6IHsiX3NkIjogWyI3aDRVRTlxU2N2REtvZFhWQ3VvS2ZLQkpwVkJmWE1GX1RtQUdWYVplM1NjIiwgInZUd2UzcmFISUZZZ0ZBM3hhVUQyYU14Rno1b0Rv"
    "OGlCdTA1cUtsT2c5THciXSwgInRydXN0X2ZyYW1ld29yayI6ICJkZV9hbWwiLCAiZXZpZGVuY2UiOiBbeyIuLi4iOiAidFlKMFREdWN5WlpDUk1iUk9HNHFSTzV2a1BTRl"
    "J4RmhVRUxjMThDU2wzayJ9XX0sICJjbGFpbXMiOiB7Il9zZCI6IFsiUmlPaUNuNl93NVpIYWFka1FNcmNRSmYwSnRlNVJ3dXJSczU0MjMxRFRsbyIsICJTXzQ5OGJicEt6"
    "QjZFYW5mdHNzMHhjN2NPYW9uZVJyM3BLcjdOZFJtc01vIiwgIldOQS1VTks3Rl96aHNBYjlzeVdPNklJUTF1SGxUbU9VOHI4Q3ZKMGNJTWsiLCAiV3hoX3NWM2lSSDliZ3"
    "JUQkppLWFZSE5DTHQtdmpoWDFzZC1pZ09mXzlsayIsICJfTy13SmlIM2VuU0I0Uk9IbnRUb1FUOEptTHR6LW1oTzJmMWM4OVhvZXJRIiwgImh2RFhod21HY0pRc0JDQTJP"
    "dGp1TEFjd0FNcERzYVUwbmtvdmNLT3FXTkUiXX19LCAiX3NkX2FsZyI6ICJzaGEtMjU2In0.QQlreqD-uUiutZfHPyqCh9zc6PFOOLz2HMvB7MrIxjUeU__0N-VzTlx_6c"
    "BIY2P7iE6uycx03OVxfihCFzXDrg~WyIyR0xDNDJzS1F2ZUNmR2ZyeU5STjl3IiwgInRpbWUiLCAiMjAxMi0wNC0yM1QxODoyNVoiXQ~WyJQYzMzSk0yTGNoY1VfbEhnZ3"
    "ZfdWZRIiwgeyJfc2QiOiBbIjl3cGpWUFd1RDdQSzBuc1FETDhCMDZsbWRnVjNMVnliaEh5ZFFwVE55TEkiLCAiRzVFbmhPQU9vVTlYXzZRTU52ekZYanBFQV9SYy1BRXRt"
    "MWJHX3djYUtJayIsICJJaHdGcldVQjYzUmNacTl5dmdaMFhQYzdHb3doM08ya3FYZUJJc3dnMUI0IiwgIldweFE0SFNvRXRjVG1DQ0tPZURzbEJfZW11Y1lMejJvTzhvSE"
    "5yMWJFVlEiXX1d~WyJlSThaV205UW5LUHBOUGVOZW5IZGhRIiwgIm1ldGhvZCIsICJwaXBwIl0~WyJHMDJOU3JRZmpGWFE3SW8wOXN5YWpBIiwgImdpdmVuX25hbWUiLCA"
    "iTWF4Il0~WyJsa2x4RjVqTVlsR1RQVW92TU5JdkNBIiwgImZhbWlseV9uYW1lIiwgIk1cdTAwZmNsbGVyIl0~WyJ5MXNWVTV3ZGZKYWhWZGd3UGdTN1JRIiwgImFkZHJlc"
    "3MiLCB7ImxvY2FsaXR5IjogIk1heHN0YWR0IiwgInBvc3RhbF9jb2RlIjogIjEyMzQ0IiwgImNvdW50cnkiOiAiREUiLCAic3RyZWV0X2FkZHJlc3MiOiAiV2VpZGVuc3R"
    "yYVx1MDBkZmUgMjIifV0~")
IDENTITY = (
    "eyJhbGciOiAiRVMyNTYiLCAidHlwIjogInZjK3NkLWp3dCJ9.eyJfc2QiOiBbIjBIWm1uU0lQejMzN2tTV2U3QzM0bC0tODhnekppLWVCSjJWel9ISndBVGciLCAiOVpic"
    "GxDN1RkRVc3cWFsNkJCWmxNdHFKZG1lRU9pWGV2ZEpsb1hWSmRSUSIsICJJMDBmY0ZVb0RYQ3VjcDV5eTJ1anFQc3NEVkdhV05pVWxpTnpfYXdEMGdjIiwgIklFQllTSkd"
    "OaFhJbHJRbzU4eWtYbTJaeDN5bGw5WmxUdFRvUG8xN1FRaVkiLCAiTGFpNklVNmQ3R1FhZ1hSN0F2R1RyblhnU2xkM3o4RUlnX2Z2M2ZPWjFXZyIsICJodkRYaHdtR2NKU"
    "XNCQ0EyT3RqdUxBY3dBTXBEc2FVMG5rb3ZjS09xV05FIiwgImlrdXVyOFE0azhxM1ZjeUE3ZEMtbU5qWkJrUmVEVFUtQ0c0bmlURTdPVFUiLCAicXZ6TkxqMnZoOW80U0V"
    "YT2ZNaVlEdXZUeWtkc1dDTmcwd1RkbHIwQUVJTSIsICJ3elcxNWJoQ2t2a3N4VnZ1SjhSRjN4aThpNjRsbjFqb183NkJDMm9hMXVnIiwgInpPZUJYaHh2SVM0WnptUWNMb"
    "HhLdUVBT0dHQnlqT3FhMXoySW9WeF9ZRFEiXSwgImlzcyI6ICJodHRwczovL2lzc3Vlci5leGFtcGxlLmNvbSIsICJpYXQiOiAxNjgzMDAwMDAwLCAiZXhwIjogMTg4MzA"
    "wMDAwMCwgInZjdCI6ICJodHRwczovL2JtaS5idW5kLmV4YW1wbGUvY3JlZGVudGlhbC9waWQvMS4wIiwgImFnZV9lcXVhbF9vcl9vdmVyIjogeyJfc2QiOiBbIkZjOElfM"
    "DdMT2NnUHdyREpLUXlJR085N3dWc09wbE1Makh2UkM0UjQtV2ciLCAiWEx0TGphZFVXYzl6Tl85aE1KUm9xeTQ2VXNDS2IxSXNoWnV1cVVGS1NDQSIsICJhb0NDenNDN3A"
    "0cWhaSUFoX2lkUkNTQ2E2NDF1eWNuYzh6UGZOV3o4bngwIiwgImYxLVAwQTJkS1dhdnYxdUZuTVgyQTctRVh4dmhveHY1YUhodUVJTi1XNjQiLCAiazVoeTJyMDE4dnJzS"
    "mpvLVZqZDZnNnl0N0Fhb25Lb25uaXVKOXplbDNqbyIsICJxcDdaX0t5MVlpcDBzWWdETzN6VnVnMk1GdVBOakh4a3NCRG5KWjRhSS1jIl19LCAiX3NkX2FsZyI6ICJzaGE"
    "tMjU2IiwgImNuZiI6IHsiandrIjogeyJrdHkiOiAiRUMiLCAiY3J2IjogIlAtMjU2IiwgIngiOiAiVENBRVIxOVp2dTNPSEY0ajRXNHZmU1ZvSElQMUlMaWxEbHM3dkNlR"
    "2VtYyIsICJ5IjogIlp4amlXV2JaTVFHSFZXS1ZRNGhiU0lpcnNWZnVlY0NFNnQ0alQ5RjJIWlEifX19.Iwo8rkeneT9yPjiorofVRWvpVqVc9xiLCNAY-TLEuEAuslt8Id"
    "s1-1JNUln7FMICScXnakTscACf7o_DqDjl1w~WyIyR0xDNDJzS1F2ZUNmR2ZyeU5STjl3IiwgImdpdmVuX25hbWUiLCAiRXJpa2EiXQ~WyJlbHVWNU9nM2dTTklJOEVZbn"
    "N4QV9BIiwgImZhbWlseV9uYW1lIiwgIk11c3Rlcm1hbm4iXQ~WyI2SWo3dE0tYTVpVlBHYm9TNXRtdlZBIiwgImJpcnRoZGF0ZSIsICIxOTYzLTA4LTEyIl0~WyJlSThaV"
    "205UW5LUHBOUGVOZW5IZGhRIiwgInNvdXJjZV9kb2N1bWVudF90eXBlIiwgImlkX2NhcmQiXQ~WyJRZ19PNjR6cUF4ZTQxMmExMDhpcm9BIiwgInN0cmVldF9hZGRyZXNz"
    "IiwgIkhlaWRlc3RyYVx1MDBkZmUgMTciXQ~WyJBSngtMDk1VlBycFR0TjRRTU9xUk9BIiwgImxvY2FsaXR5IiwgIktcdTAwZjZsbiJd~WyJQYzMzSk0yTGNoY1VfbEhnZ3"
    "ZfdWZRIiwgInBvc3RhbF9jb2RlIiwgIjUxMTQ3Il0~WyJHMDJOU3JRZmpGWFE3SW8wOXN5YWpBIiwgImNvdW50cnkiLCAiREUiXQ~WyJsa2x4RjVqTVlsR1RQVW92TU5Jd"
    "kNBIiwgImFkZHJlc3MiLCB7Il9zZCI6IFsiWEZjN3pYUG03enpWZE15d20yRXVCZmxrYTVISHF2ZjhVcF9zek5HcXZpZyIsICJiZDFFVnpnTm9wVWs0RVczX2VRMm4zX05"
    "VNGl1WE9IdjlYYkdITjNnMVRFIiwgImZfRlFZZ3ZRV3Z5VnFObklYc0FSbE55ZTdZR3A4RTc3Z1JBamFxLXd2bnciLCAidjRra2JfcFAxamx2VWJTanR5YzVicWNXeUEta"
    "ThYTHZoVllZN1pUMHRiMCJdfV0~WyJuUHVvUW5rUkZxM0JJZUFtN0FuWEZBIiwgIm5hdGlvbmFsaXRpZXMiLCBbIkRFIl1d~WyI1YlBzMUlxdVpOYTBoa2FGenp6Wk53Ii"
    "wgImdlbmRlciIsICJmZW1hbGUiXQ~WyI1YTJXMF9OcmxFWnpmcW1rXzdQcS13IiwgImJpcnRoX2ZhbWlseV9uYW1lIiwgIkdhYmxlciJd~WyJ5MXNWVTV3ZGZKYWhWZGd3"
    "UGdTN1JRIiwgImxvY2FsaXR5IiwgIkJlcmxpbiJd~WyJIYlE0WDhzclZXM1FEeG5JSmRxeU9BIiwgInBsYWNlX29mX2JpcnRoIiwgeyJfc2QiOiBbIldwaEhvSUR5b1diQ"
    "XBEQzR6YnV3UjQweGwweExoRENfY3Y0dHNTNzFyRUEiXSwgImNvdW50cnkiOiAiREUifV0~WyJDOUdTb3VqdmlKcXVFZ1lmb2pDYjFBIiwgImFsc29fa25vd25fYXMiLCA"
    "iU2Nod2VzdGVyIEFnbmVzIl0~WyJreDVrRjE3Vi14MEptd1V4OXZndnR3IiwgIjEyIiwgdHJ1ZV0~WyJIM28xdXN3UDc2MEZpMnllR2RWQ0VRIiwgIjE0IiwgdHJ1ZV0~W"
    "yJPQktsVFZsdkxnLUFkd3FZR2JQOFpBIiwgIjE2IiwgdHJ1ZV0~WyJNMEpiNTd0NDF1YnJrU3V5ckRUM3hBIiwgIjE4IiwgdHJ1ZV0~WyJEc210S05ncFY0ZEFIcGpyY2F"
    "vc0F3IiwgIjIxIiwgdHJ1ZV0~WyJlSzVvNXBIZmd1cFBwbHRqMXFoQUp3IiwgIjY1IiwgZmFsc2Vd~")
VACCINATION = (
    "eyJhbGciOiAiRVMyNTYiLCAidHlwIjogImV4YW1wbGUrc2Qtand0In0.eyJAY29udGV4dCI6IFsiaHR0cHM6Ly93d3cudzMub3JnLzIwMTgvY3JlZGVudGlhbHMvdjEiLC"
    "AiaHR0cHM6Ly93M2lkLm9yZy92YWNjaW5hdGlvbi92MSJdLCAidHlwZSI6IFsiVmVyaWZpYWJsZUNyZWRlbnRpYWwiLCAiVmFjY2luYXRpb25DZXJ0aWZpY2F0ZSJdLCAi"
    "aXNzdWVyIjogImh0dHBzOi8vZXhhbXBsZS5jb20vaXNzdWVyIiwgImlzc3VhbmNlRGF0ZSI6ICIyMDIzLTAyLTA5VDExOjAxOjU5WiIsICJleHBpcmF0aW9uRGF0ZSI6IC"
    "IyMDI4LTAyLTA4VDExOjAxOjU5WiIsICJuYW1lIjogIkNPVklELTE5IFZhY2NpbmF0aW9uIENlcnRpZmljYXRlIiwgImRlc2NyaXB0aW9uIjogIkNPVklELTE5IFZhY2Np"
    "bmF0aW9uIENlcnRpZmljYXRlIiwgImNyZWRlbnRpYWxTdWJqZWN0IjogeyJfc2QiOiBbIjFWX0stOGxEUThpRlhCRlhiWlk5ZWhxUjRIYWJXQ2k1VDB5Ykl6WlBld3ciLC"
    "AiSnpqTGd0UDI5ZFAtQjN0ZDEyUDY3NGdGbUsyenk4MUhNdEJnZjZDSk5XZyIsICJSMmZHYmZBMDdaX1lsa3FtTlp5bWExeHl5eDFYc3RJaVM2QjFZYmwySlo0IiwgIlRD"
    "bXpybDdLMmdldl9kdTdwY01JeXpSTEhwLVllZy1GbF9jeHRyVXZQeGciLCAiVjdrSkJMSzc4VG1WRE9tcmZKN1p1VVBIdUtfMmNjN3laUmE0cVYxdHh3TSIsICJiMGVVc3"
    "ZHUC1PRERkRm9ZNE5semxYYzN0RHNsV0p0Q0pGNzVOdzhPal9nIiwgInpKS19lU01YandNOGRYbU1aTG5JOEZHTTA4ekozX3ViR2VFTUotNVRCeTAiXSwgInZhY2NpbmUi"
    "OiB7Il9zZCI6IFsiMWNGNWhMd2toTU5JYXFmV0pyWEk3Tk1XZWRMLTlmNlkyUEE1MnlQalNaSSIsICJIaXk2V1d1ZUxENWJuMTYyOTh0UHY3R1hobWxkTURPVG5CaS1DWm"
    "JwaE5vIiwgIkxiMDI3cTY5MWpYWGwtakM3M3ZpOGViT2o5c214M0MtX29nN2dBNFRCUUUiXSwgInR5cGUiOiAiVmFjY2luZSJ9LCAicmVjaXBpZW50IjogeyJfc2QiOiBb"
    "IjFsU1FCTlkyNHEwVGg2T0d6dGhxLTctNGw2Y0FheHJZWE9HWnBlV19sbkEiLCAiM256THE4MU0yb04wNndkdjFzaEh2T0VKVnhaNUtMbWREa0hFREpBQldFSSIsICJQbj"
    "FzV2kwNkc0TEpybm4tX1JUMFJiTV9IVGR4blBKUXVYMmZ6V3ZfSk9VIiwgImxGOXV6ZHN3N0hwbEdMYzcxNFRyNFdPN01HSnphN3R0N1FGbGVDWDRJdHciXSwgInR5cGUi"
    "OiAiVmFjY2luZVJlY2lwaWVudCJ9LCAidHlwZSI6ICJWYWNjaW5hdGlvbkV2ZW50In0sICJfc2RfYWxnIjogInNoYS0yNTYiLCAiY25mIjogeyJqd2siOiB7Imt0eSI6IC"
    "JFQyIsICJjcnYiOiAiUC0yNTYiLCAieCI6ICJUQ0FFUjE5WnZ1M09IRjRqNFc0dmZTVm9ISVAxSUxpbERsczd2Q2VHZW1jIiwgInkiOiAiWnhqaVdXYlpNUUdIVldLVlE0"
    "aGJTSWlyc1ZmdWVjQ0U2dDRqVDlGMkhaUSJ9fX0.OZomvwO8iw4db89MYCeeomBVStXkT6u7G7FkicPWZnd2_hGgr0l_u1NHgPVocuOt-m32Uu6kwtPmYFxKk0AOeA~WyJ"
    "QYzMzSk0yTGNoY1VfbEhnZ3ZfdWZRIiwgIm9yZGVyIiwgIjMvMyJd~WyJBSngtMDk1VlBycFR0TjRRTU9xUk9BIiwgImRhdGVPZlZhY2NpbmF0aW9uIiwgIjIwMjEtMDYt"
    "MjNUMTM6NDA6MTJaIl0~WyIyR0xDNDJzS1F2ZUNmR2ZyeU5STjl3IiwgImF0Y0NvZGUiLCAiSjA3QlgwMyJd~WyJlbHVWNU9nM2dTTklJOEVZbnN4QV9BIiwgIm1lZGlja"
    "W5hbFByb2R1Y3ROYW1lIiwgIkNPVklELTE5IFZhY2NpbmUgTW9kZXJuYSJd~eyJhbGciOiAiRVMyNTYiLCAidHlwIjogImtiK2p3dCJ9.eyJub25jZSI6ICIxMjM0NTY3O"
    "DkwIiwgImF1ZCI6ICJodHRwczovL3ZlcmlmaWVyLmV4YW1wbGUub3JnIiwgImlhdCI6IDE3NDg1MzcyNDQsICJzZF9oYXNoIjogIklvV1VIOTFsbGYzWEVybDQyYlEzc3h"
    "fNTNWMW8xdWpDejA4aERxSEs3RGsifQ.n0vzyIwCFMDVauEaeJIWEKZZchxXMpXTQewHgAkARbOSZxB09IbXXtHfpoGqO_BtNFN2lShJEIQBGyc-XpHigA")
# eudi-lib-jvm-sdjwt-kt 0ebe652, src/test/resources (Apache-2.0).
WALLET_ISSUANCE = (
    "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiI2YzVjMGE0OS1iNTg5LTQzMWQtYmFlNy0yMTkxMjJhOWVjMmMiLCJhZGRyZXNzIjp7Il9zZCI6WyJ2MTN1WFlsUXAxT2pvQk41V"
    "ENtanNER3hic1NMbDJhUzlUMWhRakt6NHljIiwidGdtaVcxelZ5R1lvUmw2NzM5d2tqandlekNrMThQTG5nY2xLd19VXzA5MCIsImhBZTE2UmNWTzlHLUZsZ1F2WEcyZFg"
    "0Q1FXVWJVOTdqT2xRaUVTSXFpXzAiLCJ4QUxRZDl3Rmp4QS1qNmhCNWdUczRPa2FKRncwTm51REdvOEIwZE1kUUZzIl19LCJfc2RfYWxnIjoic2hhLTI1NiIsImlzcyI6I"
    "mh0dHBzOi8vZXhhbXBsZS5jb20vaXNzdWVyIiwiZXhwIjoxNzM1Njg5NjYxLCJpYXQiOjE1MTYyMzkwMjJ9.pgeuHDKypVG7Lk8FwMgwo4gGLHWrPM7fEv6XRlb748V0BP"
    "9F7HsZB3TNbVnfRj9ekYuhERX8yrbgg_OpAhssVyDvKAn8ZfL6LhSQ4oStbwrsjZ7u8Dyuq2_DEfPeMFp1Zse32V8INSsR0kojchiXy2sztX3BvcrKxS5e2G7ecOt_P6zK"
    "_MdpTlSrf_OdH8_MedqhRmgFHGgJ1JsOJyaRd_3rKpf_7x8-TRfE4mEW5Ngd-31UhcFHawe8m834iUhkJxI0OuUvGnrOkWq3Cg4vm73frAUPVKsk1o1U6Hkt4WHIPrIz_K"
    "aAkjrSORAaLLDmdQBzCkEFsNb-DQelVp39WA~WyJWVmxBTUVCNVRmaVg4Yjc5SDA3dWxBIiwic3RyZWV0X2FkZHJlc3MiLCJTY2h1bHN0ci4gMTIiXQ~WyJOWjdTMUpaOF"
    "ZON1FuQU1DYmRORFBnIiwibG9jYWxpdHkiLCJTY2h1bHBmb3J0YSJd~WyJfSXVuSjk4Y1k5WkFEVmFjZ1ZfZHJRIiwicmVnaW9uIiwiU2FjaHNlbi1BbmhhbHQiXQ~WyJT"
    "LW4xUUttQUdPRm9xajEwdWxSZ1NnIiwiY291bnRyeSIsIkRFIl0~")
WALLET_MODULUS = (
    "wHkbH1c0FVsIqobrmB8NTfQlf9XDpJCwYj7G1m1Xhm01JF2zZCSLxFEe_tOs5ZvCKhNXLUI0cM-FxDZw-5x0v9Owzn_eKfYesLqZcclQRswyRCFnpG6kdEuCx1Nv2yVb_y"
    "Nl9RVaIysbfVJee9SPRXnKPGYFjZvQpWLtjZ6nEj-YS4PJ218UYTLFPWHdLFZHpgqZKmq1p3bGSVliJf2P_gOaazwmHi9F5d-yMjYhHBhP_oa798Hfeh4O-bzdPPD9kR3g"
    "qZbN_JPm3oVB7qJpGND4qtY-_tQMLVjfjF3iIWl4iuwKblu2vW0RTfwAaEkrWXzhfB3wOSx2rHHwSwXgzw")
HOLDER_CLAIMS = {"cnf": {"jwk": {"kty": "EC", "crv": "P-256", "x": "TCAER19Zvu3OHF4j4W4vfSVoHIP1ILilDls7vCeGemc",
                                 "y": "ZxjiWWbZMQGHVWKVQ4hbSIirsVfuecCE6t4jT9F2HZQ"}}}
COMMON = {"iss": "https://issuer.example.com", "iat": 1683000000, "exp": 1883000000}
ADDRESS = {"street_address": "123 Main St", "locality": "Anytown", "region": "Anystate", "country": "US"}
USER = {**COMMON, "sub": "user_42", **HOLDER_CLAIMS}
PLAIN = {**COMMON, "vct": "https://bmi.bund.example/credential/pid/1.0", **HOLDER_CLAIMS}
ADULT = {"12": True, "14": True, "16": True, "18": True, "21": True, "65": False}
PERSON = {
    "given_name": "Erika", "family_name": "Mustermann", "birthdate": "1963-08-12", "source_document_type": "id_card", "gender": "female",
    "birth_family_name": "Gabler", "nationalities": ["DE"], "also_known_as": "Schwester Agnes",
    "place_of_birth": {"country": "DE", "locality": "Berlin"},
    "address": {"street_address": "Heidestra\u00dfe 17", "locality": "K\u00f6ln", "postal_code": "51147", "country": "DE"}}
VERIFIED = {
    "verification": {"trust_framework": "de_aml", "time": "2012-04-23T18:25Z", "evidence": [{"method": "pipp"}]},
    "claims": {"given_name": "Max", "family_name": "M\u00fcller", "address": {
        "locality": "Maxstadt", "postal_code": "12344", "country": "DE", "street_address": "Weidenstra\u00dfe 22"}}}
VACCINATED = {
    "@context": ["https://www.w3.org/2018/credentials/v1", "https://w3id.org/vaccination/v1"],
    "type": ["VerifiableCredential", "VaccinationCertificate"], "issuer": "https://example.com/issuer",
    "issuanceDate": "2023-02-09T11:01:59Z", "expirationDate": "2028-02-08T11:01:59Z", "name": "COVID-19 Vaccination Certificate",
    "description": "COVID-19 Vaccination Certificate", "credentialSubject": {
        "type": "VaccinationEvent", "order": "3/3", "dateOfVaccination": "2021-06-23T13:40:12Z", "recipient": {"type": "VaccineRecipient"},
        "vaccine": {"type": "Vaccine", "atcCode": "J07BX03", "medicinalProductName": "COVID-19 Vaccine Moderna"}}, **HOLDER_CLAIMS}
POLICY = {"types": ["example+sd-jwt", "vc+sd-jwt"], "require_expiration": False}
EXAMPLE_BINDING = {"audience": "https://verifier.example.org", "nonce": "1234567890"}


def shown(text, *names):
    """The presentation with those disclosures whose names are given, in its order; all names of a path are needed."""
    token, *disclosures, _ = text.split("~")
    kept = [each for each in disclosures if json.loads(unbase64url(each))[-2] in names]
    return "".join(f"{part}~" for part in (token, *kept))


def examples():
    suite = SelectiveSuite("rfc-examples", "The examples of RFC 9901 without key binding.", [ISSUER_KEY], POLICY, 1700000000,
                           reference="RFC 9901 appendix A")

    def good(identifier, text, claims, why, reference=None):
        suite.ask(f"rfc-{identifier}", text, {}, why, reference, claims=claims)
    everything = {**USER, "given_name": "John", "family_name": "Doe", "email": "johndoe@example.com", "phone_number": "+1-202-555-0101",
                  "phone_number_verified": True, "birthdate": "1940-01-01", "updated_at": 1570000000, "address": ADDRESS,
                  "nationalities": ["US", "DE"]}
    good("issuance", ISSUANCE, everything, "All disclosures of the main example.", f"{RFC} 5.1")
    good("issuance-alone", shown(ISSUANCE), {**USER, "nationalities": []}, "The main example without a disclosure.", f"{RFC} 5.1")
    good("issuance-email", shown(ISSUANCE, "email"), {**USER, "nationalities": [], "email": "johndoe@example.com"},
         "One disclosure of the main example.", f"{RFC} 5.1")
    good("structured", STRUCTURED, {**COMMON, "address": {"region": "\u6e2f\u533a", "country": "JP"}},
         "The structured example, with decoys.", "RFC 9901 appendix A.1")
    good("structured-alone", shown(STRUCTURED), {**COMMON, "address": {}}, "The structured example without a disclosure.",
         "RFC 9901 appendix A.1")
    good("complex", COMPLEX, {**COMMON, "verified_claims": VERIFIED}, "The complex example: disclosures within disclosures.",
         "RFC 9901 appendix A.2")
    good("identity", IDENTITY, {**PLAIN, **PERSON, "age_equal_or_over": ADULT},
         "The identity card of the European wallet, with all that is in it.", "RFC 9901 appendix A.3")
    good("identity-alone", shown(IDENTITY), {**PLAIN, "age_equal_or_over": {}}, "The identity card without a disclosure.",
         "RFC 9901 appendix A.3")
    good("identity-adult", shown(IDENTITY, "18"), {**PLAIN, "age_equal_or_over": {"18": True}},
         "The identity card shows that its holder is of age, and nothing else.", "RFC 9901 appendix A.3")
    good("identity-place", shown(IDENTITY, "place_of_birth"), {**PLAIN, "age_equal_or_over": {}, "place_of_birth": {"country": "DE"}},
         "The identity card shows the place of birth, without the town within it.", "RFC 9901 appendix A.3")
    add_changed(suite)
    return suite


def add_changed(suite):
    town = next(each for each in IDENTITY.split("~")[1:] if json.loads(unbase64url(each))[1:] == ["locality", "Berlin"])
    suite.ask("rfc-identity-town", shown(IDENTITY) + f"{town}~", "unused_disclosure",
              "The identity card shows the town of birth without the place that it is in.", f"{RFC} 7.1")
    suite.ask("rfc-identity-stranger", shown(IDENTITY, "18") + f"{STRUCTURED.split('~')[1]}~", "unused_disclosure",
              "The identity card has a disclosure of another token.", f"{RFC} 7.1")
    suite.ask("rfc-identity-twice", IDENTITY.replace("~", f"~{IDENTITY.split('~')[1]}~", 1), "duplicate_disclosure",
              "The identity card has a disclosure twice.", f"{RFC} 4")
    first = ISSUANCE.split("~")[1]
    suite.ask("rfc-issuance-changed", ISSUANCE.replace(first, base64url(unbase64url(first).replace(b"John", b"Joan"))), "unused_disclosure",
              "One letter of a disclosure is another.", f"{RFC} 9.2")
    suite.ask("rfc-issuance-cut", ISSUANCE.rstrip("~"), "unexpected_key_binding",
              "The last tilde is missing, so that the last disclosure stands where a key binding token would.", f"{RFC} 4")
    suite.ask("rfc-issuance-none", "~".join(ISSUANCE.split("~")[1:]), "invalid",
              "The issuer's token is missing, and the disclosures are there.", f"{RFC} 4")


def bound_examples():
    policy = {**POLICY, "key_binding": EXAMPLE_BINDING}
    suite = SelectiveSuite("rfc-bound-example", "The main example of RFC 9901 with key binding.", [ISSUER_KEY], policy, 1720435936,
                           reference=f"{RFC} 5.2")
    claims = {**USER, "nationalities": ["US"], "given_name": "John", "family_name": "Doe", "address": ADDRESS}
    suite.ask("rfc-presentation", PRESENTATION, {}, "The presentation of the main example.", claims=claims)
    head, _, binding = PRESENTATION.rpartition("~")
    suite.ask("rfc-presentation-unbound", f"{head}~", "missing_key_binding", "The key binding token is missing.", f"{RFC} 7.3")
    suite.ask("rfc-presentation-less", "~".join(head.split("~")[:-1]) + f"~{binding}", "presentation_mismatch",
              "A disclosure is missing since the holder signed.", f"{RFC} 7.3")
    suite.ask("rfc-presentation-more", f"{head}~{ISSUANCE.split('~')[3]}~{binding}", "presentation_mismatch",
              "A disclosure came in since the holder signed.", f"{RFC} 7.3")
    suite.ask("rfc-presentation-swapped", f"{head}~{VACCINATION.rpartition('~')[2]}", "invalid",
              "The key binding token belongs to another presentation of the same holder.", f"{RFC} 7.3")
    return suite


def vaccination():
    suite = SelectiveSuite("rfc-vaccination", "The vaccination certificate of RFC 9901 with key binding.", [ISSUER_KEY],
                           {"require_expiration": False, "key_binding": EXAMPLE_BINDING}, 1748537244, reference="RFC 9901 appendix A.4")
    suite.ask("rfc-vaccination", VACCINATION, {}, "The presentation of a vaccination certificate, whose validity has names of its own.",
              claims=VACCINATED)
    return suite


def wallet():
    key = {"kty": "RSA", "n": WALLET_MODULUS, "e": "AQAB"}
    suite = SelectiveSuite("wallet-examples", "The examples of the European wallet's library, which have no type.", [key],
                           {"issuer": "https://example.com/issuer"}, 1700000000, reference=f"{RFC} 6.2")
    plain = {"sub": "6c5c0a49-b589-431d-bae7-219122a9ec2c", "iss": "https://example.com/issuer", "exp": 1735689661, "iat": 1516239022}
    suite.ask("wallet-issuance", WALLET_ISSUANCE, {}, "An address with all its parts.", claims={**plain, "address": {
        "street_address": "Schulstr. 12", "locality": "Schulpforta", "region": "Sachsen-Anhalt", "country": "DE"}})
    suite.ask("wallet-presentation", shown(WALLET_ISSUANCE, "locality", "region"), {}, "An address with two of its parts.",
              claims={**plain, "address": {"locality": "Schulpforta", "region": "Sachsen-Anhalt"}})
    return suite


SUITES = [examples, bound_examples, vaccination, wallet]
