"""What the contract prints: its endpoint, link, signatures and bodies, and a check that our own reckoning gives them."""

from .build import DEVICE, Endpoint, sign_reply, sign_request

SECRET = "whsec_mgHtkTuuLB_wsJa221vi031K8GmN9QbtPNq_RV8uD8c"

# The endpoint of the contract's sections 3, 4 and 10.
EVERY_KIND = Endpoint("every-kind", token="vec_token_N_2Y13AA1iajwMKegGliR7uA-JPcykkrnx_oquTiDU0", secret=SECRET,
                      destination="wh_hmf4Hk2wv-D-TUbXkl-UCA")

# The endpoint whose link section 9 prints.
HEADER = Endpoint("header", label="Vector header", url="https://receiver.example/hook/header", scheme="header",
                  header="X-Api-Key", token="vec_key_x9VHBdwKQo-KwlcOB9v4cwlAawCa0nF2NWQRO1qLDlI", secret=None,
                  types=["heart_rate", "steps"])
HEADER_LINK = ("syncky://webhook?v=1&name=Vector%20header&url=https%3A%2F%2Freceiver.example%2Fhook%2Fheader"
               "&format=native&auth=header&header=X-Api-Key"
               "&token=vec_key_x9VHBdwKQo-KwlcOB9v4cwlAawCa0nF2NWQRO1qLDlI&types=heart_rate,steps")

# Section 4, signed in section 3's way; section 6 gives the clock.
CHECK_DELIVERY = "01a1393a-8960-7b26-8ec7-5d0493cc3337"
CHECK_TIME = 1791961500
CHECK_BODY = ('{"v":1,"type":"sync","device":"' + DEVICE + '","samples":[],"deleted":[],"acks":[],"more":false,'
              '"delivery":{"destination":"wh_hmf4Hk2wv-D-TUbXkl-UCA","id":"01a1393a-8960-7b26-8ec7-5d0493cc3337",'
              '"index":0,"count":1,"sent_at":"2026-10-14T07:05:00Z","test":true}}')
CHECK_SIGNATURE = "v1=b5d4f350a4455a39d6e89cfb3e24d4b96fa4a47b7437b985fd8e8ad26c1baf3c"

# Section 10: a reply with two writes, the request with their results, a reply with a delete.
WRITES_DELIVERY = "01a13940-fe30-7630-9d7f-9da6e6de1e3d"
WRITES_TIME = 1791961923
WRITES_BODY = ('{"v":1,"type":"commands","commands":[{"command_id":"c_1","version":1,"op":"write",'
               '"type":"dietary_water","value":0.25,"unit":"L","start":"2026-10-14T07:00:00Z",'
               '"end":"2026-10-14T07:00:00Z"},{"command_id":"c_2","version":1,"op":"write",'
               '"type":"apple_exercise_time","value":30,"unit":"min","start":"2026-10-14T07:00:00Z",'
               '"end":"2026-10-14T07:00:00Z"}]}')
WRITES_SIGNATURE = "t=1791961923,v1=73d9d986299402060d48ffe640a17e657067e1a9e853ccdd3136c5e74a5163f5"

RESULTS_DELIVERY = "01a13941-7360-7ee0-91c5-e3ae2be0fb4e"
RESULTS_TIME = 1791961953
RESULTS_BODY = ('{"v":1,"type":"results","results":[{"command_id":"c_1","version":1,"status":"applied"},'
                '{"command_id":"c_2","version":1,"status":"rejected","reason":"type_not_allowed"}]}')
RESULTS_SIGNATURE = "v1=faf090fb6106803f7435919ab1383d8b52256a0d4b86e99d22b110a9d6e32132"

DELETE_DELIVERY = "01a13977-ecb0-7fbd-bd2a-03d2ebe40d71"
DELETE_TIME = 1791965523
DELETE_BODY = ('{"v":1,"type":"commands","commands":[{"command_id":"c_1","version":2,"op":"delete",'
               '"type":"dietary_water"}]}')
DELETE_SIGNATURE = "t=1791965523,v1=42e6daf6d840b6ffbbb1b9e81c2f94c525743082b26f4eca1a7cec1034e68c40"


def check():
    """Fails when our signatures or our link are not the printed ones."""
    pairs = [
        ("check connection", sign_request(SECRET, CHECK_TIME, CHECK_BODY.encode()), CHECK_SIGNATURE),
        ("results", sign_request(SECRET, RESULTS_TIME, RESULTS_BODY.encode()), RESULTS_SIGNATURE),
        ("writes", sign_reply(SECRET, WRITES_DELIVERY, WRITES_TIME, WRITES_BODY.encode()), WRITES_SIGNATURE),
        ("delete", sign_reply(SECRET, DELETE_DELIVERY, DELETE_TIME, DELETE_BODY.encode()), DELETE_SIGNATURE),
        ("link", HEADER.link(), HEADER_LINK),
    ]
    for name, ours, printed in pairs:
        if ours != printed:
            raise SystemExit(f"{name}: ours is {ours}, the contract prints {printed}")
