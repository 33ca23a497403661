// Made by scripts/make-openapi.py: change the script, not this file.

/// `schemas/openapi.json` as it was when this program was built.
enum OpenAPIText {
    static let document = #"""
        {
         "openapi": "3.1.0",
         "info": {
          "title": "Syncky Receiver",
          "version": "1",
          "description": "Stored Apple Health data. Times in answers are UTC, but for start and end of buckets, nights and workouts, which show the person's clock with its offset."
         },
         "servers": [
          {
           "url": "/"
          }
         ],
         "paths": {
          "/api/v1/types": {
           "get": {
            "operationId": "types",
            "summary": "The types that there are samples of.",
            "parameters": [
             {
              "name": "person",
              "in": "query",
              "required": false,
              "description": "Whose data. Needed where the token is for several persons.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              },
              "example": "me"
             }
            ],
            "responses": {
             "200": {
              "description": "The answer.",
              "headers": {
               "ETag": {
                "required": true,
                "schema": {
                 "type": "string"
                }
               }
              },
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Types"
                }
               },
               "text/csv": {
                "schema": {
                 "type": "string"
                }
               }
              }
             },
             "304": {
              "$ref": "#/components/responses/304"
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "401": {
              "$ref": "#/components/responses/401"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "404": {
              "$ref": "#/components/responses/404"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "429": {
              "$ref": "#/components/responses/429"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": [
             {
              "token": [
               "read"
              ]
             },
             {
              "session": [
               "read"
              ]
             }
            ]
           }
          },
          "/api/v1/samples": {
           "get": {
            "operationId": "samples",
            "summary": "Raw rows by start, then device, unit, uuid and part. Rows without a start come first, and not in a range that `from` or `to` bounds.",
            "parameters": [
             {
              "name": "type",
              "in": "query",
              "required": true,
              "description": "A type by Syncky's name, such as `steps`.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              },
              "example": "heart_rate"
             },
             {
              "name": "person",
              "in": "query",
              "required": false,
              "description": "Whose data. Needed where the token is for several persons.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              },
              "example": "me"
             },
             {
              "name": "from",
              "in": "query",
              "required": false,
              "description": "Belongs to the range. A time with any offset, or a day, which is its begin by the person's clock.",
              "schema": {
               "anyOf": [
                {
                 "type": "string",
                 "format": "date-time"
                },
                {
                 "type": "string",
                 "format": "date"
                }
               ]
              },
              "example": "2026-10-05"
             },
             {
              "name": "to",
              "in": "query",
              "required": false,
              "description": "Doesn't belong to the range; as `from`, and not before it.",
              "schema": {
               "anyOf": [
                {
                 "type": "string",
                 "format": "date-time"
                },
                {
                 "type": "string",
                 "format": "date"
                }
               ]
              },
              "example": "2026-10-12T00:00:00+02:00"
             },
             {
              "name": "order",
              "in": "query",
              "required": false,
              "description": "By start.",
              "schema": {
               "enum": [
                "asc",
                "desc"
               ],
               "default": "asc"
              }
             },
             {
              "name": "limit",
              "in": "query",
              "required": false,
              "description": "How many at most.",
              "schema": {
               "type": "integer",
               "minimum": 1,
               "maximum": 10000,
               "default": 1000
              }
             },
             {
              "name": "cursor",
              "in": "query",
              "required": false,
              "description": "The `next` of the answer before, with all else as it was.",
              "schema": {
               "type": "string",
               "pattern": "^[A-Za-z0-9_-]+$"
              }
             },
             {
              "name": "device",
              "in": "query",
              "required": false,
              "description": "The store's device.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              }
             },
             {
              "name": "source",
              "in": "query",
              "required": false,
              "description": "Of one app, `APP`, or of one device, `@DEVICE`.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              }
             },
             {
              "name": "include",
              "in": "query",
              "required": false,
              "description": "`body`: the sender's whole object too.",
              "schema": {
               "enum": [
                "body"
               ]
              },
              "example": "body"
             }
            ],
            "responses": {
             "200": {
              "description": "The answer.",
              "headers": {
               "ETag": {
                "required": true,
                "schema": {
                 "type": "string"
                }
               }
              },
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Samples"
                }
               },
               "text/csv": {
                "schema": {
                 "type": "string"
                }
               }
              }
             },
             "304": {
              "$ref": "#/components/responses/304"
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "401": {
              "$ref": "#/components/responses/401"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "404": {
              "$ref": "#/components/responses/404"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "429": {
              "$ref": "#/components/responses/429"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": [
             {
              "token": [
               "read"
              ]
             },
             {
              "session": [
               "read"
              ]
             }
            ]
           }
          },
          "/api/v1/buckets": {
           "get": {
            "operationId": "buckets",
            "summary": "Numbers of hours, days, weeks, months or years; those without data left out.",
            "parameters": [
             {
              "name": "type",
              "in": "query",
              "required": true,
              "description": "A type by Syncky's name, such as `steps`.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              },
              "example": "heart_rate"
             },
             {
              "name": "from",
              "in": "query",
              "required": true,
              "description": "Belongs to the range. A time with any offset, or a day, which is its begin by the person's clock.",
              "schema": {
               "anyOf": [
                {
                 "type": "string",
                 "format": "date-time"
                },
                {
                 "type": "string",
                 "format": "date"
                }
               ]
              },
              "example": "2026-10-05"
             },
             {
              "name": "to",
              "in": "query",
              "required": true,
              "description": "Doesn't belong to the range; as `from`, and not before it.",
              "schema": {
               "anyOf": [
                {
                 "type": "string",
                 "format": "date-time"
                },
                {
                 "type": "string",
                 "format": "date"
                }
               ]
              },
              "example": "2026-10-12T00:00:00+02:00"
             },
             {
              "name": "person",
              "in": "query",
              "required": false,
              "description": "Whose data. Needed where the token is for several persons.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              },
              "example": "me"
             },
             {
              "name": "by",
              "in": "query",
              "required": false,
              "description": "How long a bucket is by the person's clock; weeks begin on Monday.",
              "schema": {
               "enum": [
                "hour",
                "day",
                "week",
                "month",
                "year"
               ],
               "default": "day"
              },
              "example": "hour"
             },
             {
              "name": "merge",
              "in": "query",
              "required": false,
              "description": "Which samples of a cumulative type count where several sources were there.",
              "schema": {
               "enum": [
                "priority",
                "highest-source"
               ],
               "default": "priority"
              }
             },
             {
              "name": "sources",
              "in": "query",
              "required": false,
              "description": "Whether each bucket says what each source has in it.",
              "schema": {
               "enum": [
                "true",
                "false"
               ]
              },
              "example": "true"
             }
            ],
            "responses": {
             "200": {
              "description": "The answer.",
              "headers": {
               "ETag": {
                "required": true,
                "schema": {
                 "type": "string"
                }
               }
              },
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Buckets"
                }
               },
               "text/csv": {
                "schema": {
                 "type": "string"
                }
               }
              }
             },
             "304": {
              "$ref": "#/components/responses/304"
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "401": {
              "$ref": "#/components/responses/401"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "404": {
              "$ref": "#/components/responses/404"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "429": {
              "$ref": "#/components/responses/429"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": [
             {
              "token": [
               "read"
              ]
             },
             {
              "session": [
               "read"
              ]
             }
            ]
           }
          },
          "/api/v1/sources": {
           "get": {
            "operationId": "sources",
            "summary": "Sources in the order in which they count.",
            "parameters": [
             {
              "name": "person",
              "in": "query",
              "required": false,
              "description": "Whose data. Needed where the token is for several persons.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              },
              "example": "me"
             },
             {
              "name": "type",
              "in": "query",
              "required": false,
              "description": "A type by Syncky's name, such as `steps`.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              },
              "example": "heart_rate"
             }
            ],
            "responses": {
             "200": {
              "description": "The answer.",
              "headers": {
               "ETag": {
                "required": true,
                "schema": {
                 "type": "string"
                }
               }
              },
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Sources"
                }
               },
               "text/csv": {
                "schema": {
                 "type": "string"
                }
               }
              }
             },
             "304": {
              "$ref": "#/components/responses/304"
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "401": {
              "$ref": "#/components/responses/401"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "404": {
              "$ref": "#/components/responses/404"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "429": {
              "$ref": "#/components/responses/429"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": [
             {
              "token": [
               "read"
              ]
             },
             {
              "session": [
               "read"
              ]
             }
            ]
           }
          },
          "/api/v1/sleep": {
           "get": {
            "operationId": "sleep",
            "summary": "Nights and naps, by the morning on which they ended.",
            "parameters": [
             {
              "name": "from",
              "in": "query",
              "required": true,
              "description": "Belongs to the range. A time with any offset, or a day, which is its begin by the person's clock.",
              "schema": {
               "anyOf": [
                {
                 "type": "string",
                 "format": "date-time"
                },
                {
                 "type": "string",
                 "format": "date"
                }
               ]
              },
              "example": "2026-10-05"
             },
             {
              "name": "to",
              "in": "query",
              "required": true,
              "description": "Doesn't belong to the range; as `from`, and not before it.",
              "schema": {
               "anyOf": [
                {
                 "type": "string",
                 "format": "date-time"
                },
                {
                 "type": "string",
                 "format": "date"
                }
               ]
              },
              "example": "2026-10-12T00:00:00+02:00"
             },
             {
              "name": "person",
              "in": "query",
              "required": false,
              "description": "Whose data. Needed where the token is for several persons.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              },
              "example": "me"
             },
             {
              "name": "source",
              "in": "query",
              "required": false,
              "description": "Of one app, `APP`, or of one device, `@DEVICE`.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              }
             }
            ],
            "responses": {
             "200": {
              "description": "The answer.",
              "headers": {
               "ETag": {
                "required": true,
                "schema": {
                 "type": "string"
                }
               }
              },
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Nights"
                }
               },
               "text/csv": {
                "schema": {
                 "type": "string"
                }
               }
              }
             },
             "304": {
              "$ref": "#/components/responses/304"
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "401": {
              "$ref": "#/components/responses/401"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "404": {
              "$ref": "#/components/responses/404"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "429": {
              "$ref": "#/components/responses/429"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": [
             {
              "token": [
               "read"
              ]
             },
             {
              "session": [
               "read"
              ]
             }
            ]
           }
          },
          "/api/v1/workouts": {
           "get": {
            "operationId": "workouts",
            "summary": "Workouts, newest first.",
            "parameters": [
             {
              "name": "person",
              "in": "query",
              "required": false,
              "description": "Whose data. Needed where the token is for several persons.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              },
              "example": "me"
             },
             {
              "name": "from",
              "in": "query",
              "required": false,
              "description": "Belongs to the range. A time with any offset, or a day, which is its begin by the person's clock.",
              "schema": {
               "anyOf": [
                {
                 "type": "string",
                 "format": "date-time"
                },
                {
                 "type": "string",
                 "format": "date"
                }
               ]
              },
              "example": "2026-10-05"
             },
             {
              "name": "to",
              "in": "query",
              "required": false,
              "description": "Doesn't belong to the range; as `from`, and not before it.",
              "schema": {
               "anyOf": [
                {
                 "type": "string",
                 "format": "date-time"
                },
                {
                 "type": "string",
                 "format": "date"
                }
               ]
              },
              "example": "2026-10-12T00:00:00+02:00"
             },
             {
              "name": "limit",
              "in": "query",
              "required": false,
              "description": "How many at most.",
              "schema": {
               "type": "integer",
               "minimum": 1,
               "maximum": 10000,
               "default": 1000
              }
             },
             {
              "name": "cursor",
              "in": "query",
              "required": false,
              "description": "The `next` of the answer before, with all else as it was.",
              "schema": {
               "type": "string",
               "pattern": "^[A-Za-z0-9_-]+$"
              }
             }
            ],
            "responses": {
             "200": {
              "description": "The answer.",
              "headers": {
               "ETag": {
                "required": true,
                "schema": {
                 "type": "string"
                }
               }
              },
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Workouts"
                }
               },
               "text/csv": {
                "schema": {
                 "type": "string"
                }
               }
              }
             },
             "304": {
              "$ref": "#/components/responses/304"
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "401": {
              "$ref": "#/components/responses/401"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "404": {
              "$ref": "#/components/responses/404"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "429": {
              "$ref": "#/components/responses/429"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": [
             {
              "token": [
               "read"
              ]
             },
             {
              "session": [
               "read"
              ]
             }
            ]
           }
          },
          "/api/v1/workouts/{uuid}.gpx": {
           "get": {
            "operationId": "workouts_uuid_gpx",
            "summary": "A workout's route as GPX 1.1.",
            "parameters": [
             {
              "name": "uuid",
              "in": "path",
              "required": true,
              "description": "Of a workout, in either case.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              },
              "example": "0B6F0000-0000-4000-8000-000000000001"
             },
             {
              "name": "person",
              "in": "query",
              "required": false,
              "description": "Whose data. Needed where the token is for several persons.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              },
              "example": "me"
             },
             {
              "name": "device",
              "in": "query",
              "required": false,
              "description": "The store's device.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              }
             }
            ],
            "responses": {
             "200": {
              "description": "The answer.",
              "headers": {
               "ETag": {
                "required": true,
                "schema": {
                 "type": "string"
                }
               }
              },
              "content": {
               "application/gpx+xml": {
                "schema": {
                 "type": "string"
                }
               }
              }
             },
             "304": {
              "$ref": "#/components/responses/304"
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "401": {
              "$ref": "#/components/responses/401"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "404": {
              "$ref": "#/components/responses/404"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "429": {
              "$ref": "#/components/responses/429"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": [
             {
              "token": [
               "read"
              ]
             },
             {
              "session": [
               "read"
              ]
             }
            ]
           }
          },
          "/api/v1/workouts/{uuid}.geojson": {
           "get": {
            "operationId": "workouts_uuid_geojson",
            "summary": "A workout's route as GeoJSON.",
            "parameters": [
             {
              "name": "uuid",
              "in": "path",
              "required": true,
              "description": "Of a workout, in either case.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              },
              "example": "0B6F0000-0000-4000-8000-000000000001"
             },
             {
              "name": "person",
              "in": "query",
              "required": false,
              "description": "Whose data. Needed where the token is for several persons.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              },
              "example": "me"
             },
             {
              "name": "device",
              "in": "query",
              "required": false,
              "description": "The store's device.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              }
             }
            ],
            "responses": {
             "200": {
              "description": "The answer.",
              "headers": {
               "ETag": {
                "required": true,
                "schema": {
                 "type": "string"
                }
               }
              },
              "content": {
               "application/geo+json": {
                "schema": {
                 "type": "object"
                }
               }
              }
             },
             "304": {
              "$ref": "#/components/responses/304"
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "401": {
              "$ref": "#/components/responses/401"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "404": {
              "$ref": "#/components/responses/404"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "429": {
              "$ref": "#/components/responses/429"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": [
             {
              "token": [
               "read"
              ]
             },
             {
              "session": [
               "read"
              ]
             }
            ]
           }
          },
          "/api/v1/workouts/{uuid}": {
           "get": {
            "operationId": "workouts_uuid",
            "summary": "A workout with its curve, route and splits.",
            "parameters": [
             {
              "name": "uuid",
              "in": "path",
              "required": true,
              "description": "Of a workout, in either case.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              },
              "example": "0B6F0000-0000-4000-8000-000000000001"
             },
             {
              "name": "person",
              "in": "query",
              "required": false,
              "description": "Whose data. Needed where the token is for several persons.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              },
              "example": "me"
             },
             {
              "name": "device",
              "in": "query",
              "required": false,
              "description": "The store's device.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              }
             }
            ],
            "responses": {
             "200": {
              "description": "The answer.",
              "headers": {
               "ETag": {
                "required": true,
                "schema": {
                 "type": "string"
                }
               }
              },
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/WorkoutDetail"
                }
               }
              }
             },
             "304": {
              "$ref": "#/components/responses/304"
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "401": {
              "$ref": "#/components/responses/401"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "404": {
              "$ref": "#/components/responses/404"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "429": {
              "$ref": "#/components/responses/429"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": [
             {
              "token": [
               "read"
              ]
             },
             {
              "session": [
               "read"
              ]
             }
            ]
           }
          },
          "/api/v1/activity": {
           "get": {
            "operationId": "activity",
            "summary": "The rings of the phone beside what the samples come to.",
            "parameters": [
             {
              "name": "from",
              "in": "query",
              "required": true,
              "description": "Belongs to the range. A time with any offset, or a day, which is its begin by the person's clock.",
              "schema": {
               "anyOf": [
                {
                 "type": "string",
                 "format": "date-time"
                },
                {
                 "type": "string",
                 "format": "date"
                }
               ]
              },
              "example": "2026-10-05"
             },
             {
              "name": "to",
              "in": "query",
              "required": true,
              "description": "Doesn't belong to the range; as `from`, and not before it.",
              "schema": {
               "anyOf": [
                {
                 "type": "string",
                 "format": "date-time"
                },
                {
                 "type": "string",
                 "format": "date"
                }
               ]
              },
              "example": "2026-10-12T00:00:00+02:00"
             },
             {
              "name": "person",
              "in": "query",
              "required": false,
              "description": "Whose data. Needed where the token is for several persons.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              },
              "example": "me"
             }
            ],
            "responses": {
             "200": {
              "description": "The answer.",
              "headers": {
               "ETag": {
                "required": true,
                "schema": {
                 "type": "string"
                }
               }
              },
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Activity"
                }
               },
               "text/csv": {
                "schema": {
                 "type": "string"
                }
               }
              }
             },
             "304": {
              "$ref": "#/components/responses/304"
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "401": {
              "$ref": "#/components/responses/401"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "404": {
              "$ref": "#/components/responses/404"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "429": {
              "$ref": "#/components/responses/429"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": [
             {
              "token": [
               "read"
              ]
             },
             {
              "session": [
               "read"
              ]
             }
            ]
           }
          },
          "/api/v1/latest": {
           "get": {
            "operationId": "latest",
            "summary": "The newest sample of each type, by type.",
            "parameters": [
             {
              "name": "person",
              "in": "query",
              "required": false,
              "description": "Whose data. Needed where the token is for several persons.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              },
              "example": "me"
             },
             {
              "name": "types",
              "in": "query",
              "required": false,
              "description": "Types with commas between them, at most 100. Without it all that the token is for.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f,]+(,[^\\u0000-\\u001f\\u007f-\\u009f,]+)*$"
              },
              "example": "steps,heart_rate"
             }
            ],
            "responses": {
             "200": {
              "description": "The answer.",
              "headers": {
               "ETag": {
                "required": true,
                "schema": {
                 "type": "string"
                }
               }
              },
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Latest"
                }
               },
               "text/csv": {
                "schema": {
                 "type": "string"
                }
               }
              }
             },
             "304": {
              "$ref": "#/components/responses/304"
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "401": {
              "$ref": "#/components/responses/401"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "404": {
              "$ref": "#/components/responses/404"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "429": {
              "$ref": "#/components/responses/429"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": [
             {
              "token": [
               "read"
              ]
             },
             {
              "session": [
               "read"
              ]
             }
            ]
           }
          },
          "/api/v1/changes": {
           "get": {
            "operationId": "changes",
            "summary": "What was inserted, updated and deleted, in the order of commits.",
            "parameters": [
             {
              "name": "person",
              "in": "query",
              "required": false,
              "description": "Whose data. Needed where the token is for several persons.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              },
              "example": "me"
             },
             {
              "name": "since",
              "in": "query",
              "required": false,
              "description": "The `next` of the answer before, or of one without `since`.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              }
             },
             {
              "name": "limit",
              "in": "query",
              "required": false,
              "description": "How many at most.",
              "schema": {
               "type": "integer",
               "minimum": 1,
               "maximum": 10000,
               "default": 1000
              }
             },
             {
              "name": "types",
              "in": "query",
              "required": false,
              "description": "Types with commas between them, at most 100. Without it all that the token is for.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f,]+(,[^\\u0000-\\u001f\\u007f-\\u009f,]+)*$"
              },
              "example": "steps,heart_rate"
             }
            ],
            "responses": {
             "200": {
              "description": "The answer.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Changes"
                }
               },
               "text/csv": {
                "schema": {
                 "type": "string"
                }
               },
               "text/event-stream": {
                "schema": {
                 "type": "string"
                }
               }
              }
             },
             "304": {
              "$ref": "#/components/responses/304"
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "401": {
              "$ref": "#/components/responses/401"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "404": {
              "$ref": "#/components/responses/404"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "410": {
              "$ref": "#/components/responses/410"
             },
             "429": {
              "$ref": "#/components/responses/429"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": [
             {
              "token": [
               "read"
              ]
             },
             {
              "session": [
               "read"
              ]
             }
            ]
           }
          },
          "/api/v1/status": {
           "get": {
            "operationId": "status",
            "summary": "Endpoints, commands, warnings, rhythms and the last deliveries.",
            "responses": {
             "200": {
              "description": "The answer.",
              "headers": {
               "ETag": {
                "required": true,
                "schema": {
                 "type": "string"
                }
               }
              },
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Status"
                }
               }
              }
             },
             "304": {
              "$ref": "#/components/responses/304"
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "401": {
              "$ref": "#/components/responses/401"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "404": {
              "$ref": "#/components/responses/404"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "429": {
              "$ref": "#/components/responses/429"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": [
             {
              "token": [
               "read"
              ]
             },
             {
              "session": [
               "read"
              ]
             }
            ]
           }
          },
          "/api/v1/commands": {
           "get": {
            "operationId": "commands",
            "summary": "What phones are asked to write.",
            "parameters": [
             {
              "name": "person",
              "in": "query",
              "required": false,
              "description": "Whose data. Needed where the token is for several persons.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              },
              "example": "me"
             },
             {
              "name": "endpoint",
              "in": "query",
              "required": false,
              "description": "NAME of an endpoint. Needed to change something where there are several.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              }
             }
            ],
            "responses": {
             "200": {
              "description": "The answer.",
              "headers": {
               "ETag": {
                "required": true,
                "schema": {
                 "type": "string"
                }
               }
              },
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Commands"
                }
               },
               "text/csv": {
                "schema": {
                 "type": "string"
                }
               }
              }
             },
             "304": {
              "$ref": "#/components/responses/304"
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "401": {
              "$ref": "#/components/responses/401"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "404": {
              "$ref": "#/components/responses/404"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "429": {
              "$ref": "#/components/responses/429"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": [
             {
              "token": [
               "read"
              ]
             },
             {
              "session": [
               "read"
              ]
             }
            ]
           },
           "post": {
            "operationId": "post_commands",
            "summary": "Has a phone write or delete something.",
            "requestBody": {
             "required": true,
             "content": {
              "application/json": {
               "schema": {
                "$ref": "#/components/schemas/NewCommand"
               }
              }
             }
            },
            "responses": {
             "201": {
              "description": "The answer.",
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/CommandMade"
                }
               }
              }
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "401": {
              "$ref": "#/components/responses/401"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "404": {
              "$ref": "#/components/responses/404"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "409": {
              "$ref": "#/components/responses/409"
             },
             "413": {
              "$ref": "#/components/responses/413"
             },
             "415": {
              "$ref": "#/components/responses/415"
             },
             "429": {
              "$ref": "#/components/responses/429"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": [
             {
              "token": [
               "write"
              ]
             },
             {
              "session": [
               "write"
              ]
             }
            ]
           }
          },
          "/api/v1/commands/{id}": {
           "delete": {
            "operationId": "delete_commands_id",
            "summary": "Withdraws a command that waits.",
            "parameters": [
             {
              "name": "id",
              "in": "path",
              "required": true,
              "description": "Of a command.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              }
             },
             {
              "name": "endpoint",
              "in": "query",
              "required": false,
              "description": "NAME of an endpoint. Needed to change something where there are several.",
              "schema": {
               "type": "string",
               "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]+$"
              }
             }
            ],
            "responses": {
             "204": {
              "description": "Done."
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "401": {
              "$ref": "#/components/responses/401"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "404": {
              "$ref": "#/components/responses/404"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "409": {
              "$ref": "#/components/responses/409"
             },
             "413": {
              "$ref": "#/components/responses/413"
             },
             "429": {
              "$ref": "#/components/responses/429"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": [
             {
              "token": [
               "write"
              ]
             },
             {
              "session": [
               "write"
              ]
             }
            ]
           }
          },
          "/metrics": {
           "get": {
            "operationId": "metrics",
            "summary": "Counters for Prometheus.",
            "responses": {
             "200": {
              "description": "The answer.",
              "headers": {
               "ETag": {
                "required": true,
                "schema": {
                 "type": "string"
                }
               }
              },
              "content": {
               "text/plain": {
                "schema": {
                 "type": "string"
                }
               }
              }
             },
             "304": {
              "$ref": "#/components/responses/304"
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "401": {
              "$ref": "#/components/responses/401"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "404": {
              "$ref": "#/components/responses/404"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "429": {
              "$ref": "#/components/responses/429"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": [
             {
              "token": [
               "read"
              ]
             },
             {
              "session": [
               "read"
              ]
             }
            ]
           }
          },
          "/openapi.json": {
           "get": {
            "operationId": "openapi_json",
            "summary": "This document.",
            "responses": {
             "200": {
              "description": "The answer.",
              "headers": {
               "ETag": {
                "required": true,
                "schema": {
                 "type": "string"
                }
               }
              },
              "content": {
               "application/json": {
                "schema": {
                 "type": "object"
                }
               }
              }
             },
             "304": {
              "$ref": "#/components/responses/304"
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": []
           }
          },
          "/session": {
           "post": {
            "operationId": "post_session",
            "summary": "Signs a browser in: a cookie for a token.",
            "requestBody": {
             "required": true,
             "content": {
              "application/json": {
               "schema": {
                "$ref": "#/components/schemas/SignIn"
               }
              },
              "application/x-www-form-urlencoded": {
               "schema": {
                "$ref": "#/components/schemas/SignIn"
               }
              }
             }
            },
            "responses": {
             "204": {
              "description": "Done."
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "401": {
              "$ref": "#/components/responses/401"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "413": {
              "$ref": "#/components/responses/413"
             },
             "415": {
              "$ref": "#/components/responses/415"
             },
             "429": {
              "$ref": "#/components/responses/429"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": []
           },
           "get": {
            "operationId": "session",
            "summary": "What the token is for.",
            "responses": {
             "200": {
              "description": "The answer.",
              "headers": {
               "ETag": {
                "required": true,
                "schema": {
                 "type": "string"
                }
               }
              },
              "content": {
               "application/json": {
                "schema": {
                 "$ref": "#/components/schemas/Token"
                }
               }
              }
             },
             "304": {
              "$ref": "#/components/responses/304"
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "401": {
              "$ref": "#/components/responses/401"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "404": {
              "$ref": "#/components/responses/404"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "429": {
              "$ref": "#/components/responses/429"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": [
             {
              "token": [
               "read"
              ]
             },
             {
              "session": [
               "read"
              ]
             }
            ]
           },
           "delete": {
            "operationId": "delete_session",
            "summary": "Signs a browser out.",
            "responses": {
             "204": {
              "description": "Done."
             },
             "400": {
              "$ref": "#/components/responses/400"
             },
             "403": {
              "$ref": "#/components/responses/403"
             },
             "406": {
              "$ref": "#/components/responses/406"
             },
             "413": {
              "$ref": "#/components/responses/413"
             },
             "503": {
              "$ref": "#/components/responses/503"
             }
            },
            "security": []
           }
          }
         },
         "components": {
          "schemas": {
           "Problem": {
            "type": "object",
            "description": "RFC 9457.",
            "properties": {
             "type": {
              "const": "about:blank"
             },
             "title": {
              "type": "string"
             },
             "status": {
              "type": "integer"
             },
             "code": {
              "type": "string",
              "pattern": "^[a-z0-9_]+$",
              "description": "Stable."
             },
             "detail": {
              "type": "string"
             },
             "parameter": {
              "type": "string",
              "description": "The one at fault."
             }
            },
            "additionalProperties": false,
            "required": [
             "type",
             "title",
             "status",
             "code",
             "detail"
            ]
           },
           "Source": {
            "type": "object",
            "description": "What recorded it.",
            "properties": {
             "app": {
              "type": [
               "string",
               "null"
              ]
             },
             "device": {
              "type": [
               "string",
               "null"
              ]
             }
            },
            "additionalProperties": false,
            "required": [
             "app",
             "device"
            ]
           },
           "Types": {
            "type": "object",
            "properties": {
             "person": {
              "type": "string"
             },
             "zone": {
              "type": "string"
             },
             "types": {
              "type": "array",
              "items": {
               "type": "object",
               "properties": {
                "type": {
                 "type": "string"
                },
                "kind": {
                 "enum": [
                  "other",
                  "quantity",
                  "category",
                  "workout",
                  "characteristic",
                  "state_of_mind",
                  "gad7_assessment",
                  "phq9_assessment",
                  "audiogram",
                  "activity_summary",
                  "workout_route",
                  "heartbeat_series"
                 ]
                },
                "unit": {
                 "type": [
                  "string",
                  "null"
                 ]
                },
                "aggregation": {
                 "enum": [
                  "cumulative",
                  "discrete_arithmetic",
                  "discrete_temporally_weighted",
                  "discrete_equivalent_continuous_level",
                  null
                 ]
                },
                "samples": {
                 "type": "integer",
                 "minimum": 0
                },
                "first": {
                 "type": [
                  "string",
                  "null"
                 ],
                 "format": "date-time"
                },
                "last": {
                 "type": [
                  "string",
                  "null"
                 ],
                 "format": "date-time"
                }
               },
               "additionalProperties": false,
               "required": [
                "type",
                "kind",
                "unit",
                "aggregation",
                "samples",
                "first",
                "last"
               ]
              }
             }
            },
            "additionalProperties": false,
            "required": [
             "person",
             "zone",
             "types"
            ]
           },
           "Sample": {
            "type": "object",
            "properties": {
             "uuid": {
              "type": "string",
              "description": "A uuid in upper case, or another key of the sender's."
             },
             "part": {
              "type": "integer"
             },
             "type": {
              "type": "string"
             },
             "kind": {
              "enum": [
               "other",
               "quantity",
               "category",
               "workout",
               "characteristic",
               "state_of_mind",
               "gad7_assessment",
               "phq9_assessment",
               "audiogram",
               "activity_summary",
               "workout_route",
               "heartbeat_series"
              ]
             },
             "value": {
              "type": [
               "number",
               "null"
              ]
             },
             "value_name": {
              "type": [
               "string",
               "null"
              ]
             },
             "unit": {
              "type": [
               "string",
               "null"
              ]
             },
             "start": {
              "type": [
               "string",
               "null"
              ],
              "format": "date-time"
             },
             "end": {
              "type": [
               "string",
               "null"
              ],
              "format": "date-time"
             },
             "utc_offset": {
              "type": [
               "integer",
               "null"
              ],
              "description": "Minutes east of UTC, where the sender told it."
             },
             "source": {
              "$ref": "#/components/schemas/Source"
             },
             "device": {
              "type": "string"
             },
             "endpoint": {
              "type": "string"
             },
             "received_at": {
              "type": [
               "string",
               "null"
              ],
              "format": "date-time"
             },
             "body": {
              "type": "object",
              "description": "With `include=body`: the sender's object."
             }
            },
            "additionalProperties": false,
            "required": [
             "uuid",
             "part",
             "type",
             "kind",
             "value",
             "value_name",
             "unit",
             "start",
             "end",
             "utc_offset",
             "source",
             "device",
             "endpoint",
             "received_at"
            ]
           },
           "Samples": {
            "type": "object",
            "properties": {
             "samples": {
              "type": "array",
              "items": {
               "$ref": "#/components/schemas/Sample"
              }
             },
             "next": {
              "type": [
               "string",
               "null"
              ]
             }
            },
            "additionalProperties": false,
            "required": [
             "samples",
             "next"
            ]
           },
           "Latest": {
            "type": "object",
            "properties": {
             "samples": {
              "type": "array",
              "items": {
               "$ref": "#/components/schemas/Sample"
              }
             }
            },
            "additionalProperties": false,
            "required": [
             "samples"
            ]
           },
           "Bucket": {
            "type": "object",
            "description": "`sum` of a cumulative type, `min`, `mean`, `max` and `last` of a discrete one, else `seconds`.",
            "properties": {
             "start": {
              "type": "string",
              "format": "date-time"
             },
             "end": {
              "type": "string",
              "format": "date-time"
             },
             "samples": {
              "type": "integer",
              "minimum": 0
             },
             "sum": {
              "type": [
               "number",
               "null"
              ]
             },
             "min": {
              "type": [
               "number",
               "null"
              ]
             },
             "mean": {
              "type": [
               "number",
               "null"
              ]
             },
             "max": {
              "type": [
               "number",
               "null"
              ]
             },
             "last": {
              "type": [
               "number",
               "null"
              ]
             },
             "seconds": {
              "type": [
               "number",
               "null"
              ]
             },
             "sources": {
              "type": "array",
              "items": {
               "type": "object",
               "properties": {
                "app": {
                 "type": [
                  "string",
                  "null"
                 ]
                },
                "device": {
                 "type": [
                  "string",
                  "null"
                 ]
                },
                "value": {
                 "type": [
                  "number",
                  "null"
                 ]
                },
                "counted": {
                 "type": [
                  "number",
                  "null"
                 ]
                },
                "samples": {
                 "type": "integer",
                 "minimum": 0
                }
               },
               "additionalProperties": false,
               "required": [
                "app",
                "device",
                "value",
                "counted",
                "samples"
               ]
              }
             }
            },
            "additionalProperties": false,
            "required": [
             "start",
             "end",
             "samples"
            ]
           },
           "Buckets": {
            "type": "object",
            "properties": {
             "person": {
              "type": "string"
             },
             "type": {
              "type": "string"
             },
             "zone": {
              "type": "string"
             },
             "unit": {
              "type": [
               "string",
               "null"
              ]
             },
             "aggregation": {
              "enum": [
               "cumulative",
               "discrete_arithmetic",
               "discrete_temporally_weighted",
               "discrete_equivalent_continuous_level",
               null
              ]
             },
             "by": {
              "enum": [
               "hour",
               "day",
               "week",
               "month",
               "year"
              ],
              "default": "day"
             },
             "merge": {
              "enum": [
               "priority",
               "highest-source"
              ],
              "default": "priority"
             },
             "unconverted": {
              "type": "integer",
              "minimum": 0
             },
             "buckets": {
              "type": "array",
              "items": {
               "$ref": "#/components/schemas/Bucket"
              }
             }
            },
            "additionalProperties": false,
            "required": [
             "person",
             "type",
             "zone",
             "unit",
             "aggregation",
             "by",
             "merge",
             "unconverted",
             "buckets"
            ]
           },
           "Sources": {
            "type": "object",
            "properties": {
             "sources": {
              "type": "array",
              "items": {
               "type": "object",
               "properties": {
                "app": {
                 "type": [
                  "string",
                  "null"
                 ]
                },
                "device": {
                 "type": [
                  "string",
                  "null"
                 ]
                },
                "class": {
                 "enum": [
                  "watch",
                  "phone",
                  "other"
                 ]
                },
                "samples": {
                 "type": "integer",
                 "minimum": 0
                },
                "set": {
                 "type": "boolean"
                }
               },
               "additionalProperties": false,
               "required": [
                "app",
                "device",
                "class",
                "samples",
                "set"
               ]
              }
             }
            },
            "additionalProperties": false,
            "required": [
             "sources"
            ]
           },
           "Nights": {
            "type": "object",
            "properties": {
             "nights": {
              "type": "array",
              "items": {
               "type": "object",
               "properties": {
                "date": {
                 "type": "string",
                 "format": "date"
                },
                "nap": {
                 "type": "boolean"
                },
                "start": {
                 "type": "string",
                 "format": "date-time"
                },
                "end": {
                 "type": "string",
                 "format": "date-time"
                },
                "source": {
                 "$ref": "#/components/schemas/Source"
                },
                "asleep_s": {
                 "type": "number"
                },
                "awake_s": {
                 "type": "number"
                },
                "in_bed_s": {
                 "type": "number"
                },
                "stages": {
                 "type": "object",
                 "properties": {
                  "asleep_rem": {
                   "type": "number"
                  },
                  "asleep_deep": {
                   "type": "number"
                  },
                  "asleep_core": {
                   "type": "number"
                  },
                  "asleep_unspecified": {
                   "type": "number"
                  },
                  "awake": {
                   "type": "number"
                  },
                  "in_bed": {
                   "type": "number"
                  }
                 },
                 "additionalProperties": false,
                 "required": [
                  "asleep_rem",
                  "asleep_deep",
                  "asleep_core",
                  "asleep_unspecified",
                  "awake",
                  "in_bed"
                 ]
                },
                "segments": {
                 "type": "array",
                 "items": {
                  "type": "object",
                  "properties": {
                   "stage": {
                    "enum": [
                     "asleep_rem",
                     "asleep_deep",
                     "asleep_core",
                     "asleep_unspecified",
                     "awake",
                     "in_bed"
                    ]
                   },
                   "start": {
                    "type": "string",
                    "format": "date-time"
                   },
                   "end": {
                    "type": "string",
                    "format": "date-time"
                   }
                  },
                  "additionalProperties": false,
                  "required": [
                   "stage",
                   "start",
                   "end"
                  ]
                 }
                }
               },
               "additionalProperties": false,
               "required": [
                "date",
                "nap",
                "start",
                "end",
                "source",
                "asleep_s",
                "awake_s",
                "in_bed_s",
                "stages",
                "segments"
               ]
              }
             }
            },
            "additionalProperties": false,
            "required": [
             "nights"
            ]
           },
           "Workout": {
            "type": "object",
            "properties": {
             "uuid": {
              "type": "string"
             },
             "device": {
              "type": "string"
             },
             "activity": {
              "type": "string"
             },
             "start": {
              "type": "string",
              "format": "date-time"
             },
             "end": {
              "type": "string",
              "format": "date-time"
             },
             "duration_s": {
              "type": [
               "number",
               "null"
              ]
             },
             "energy_kcal": {
              "type": [
               "number",
               "null"
              ]
             },
             "distance_m": {
              "type": [
               "number",
               "null"
              ]
             },
             "source": {
              "$ref": "#/components/schemas/Source"
             },
             "has_route": {
              "type": "boolean"
             }
            },
            "additionalProperties": false,
            "required": [
             "uuid",
             "device",
             "activity",
             "start",
             "end",
             "duration_s",
             "energy_kcal",
             "distance_m",
             "source",
             "has_route"
            ]
           },
           "Workouts": {
            "type": "object",
            "properties": {
             "workouts": {
              "type": "array",
              "items": {
               "$ref": "#/components/schemas/Workout"
              }
             },
             "next": {
              "type": [
               "string",
               "null"
              ]
             }
            },
            "additionalProperties": false,
            "required": [
             "workouts",
             "next"
            ]
           },
           "Split": {
            "type": "object",
            "properties": {
             "m": {
              "type": "number"
             },
             "s": {
              "type": "number"
             },
             "start": {
              "type": "string",
              "format": "date-time"
             },
             "heart_rate": {
              "type": [
               "number",
               "null"
              ]
             },
             "climb_m": {
              "type": [
               "number",
               "null"
              ]
             }
            },
            "additionalProperties": false,
            "required": [
             "m",
             "s",
             "start",
             "heart_rate",
             "climb_m"
            ]
           },
           "WorkoutDetail": {
            "type": "object",
            "properties": {
             "uuid": {
              "type": "string"
             },
             "device": {
              "type": "string"
             },
             "activity": {
              "type": "string"
             },
             "start": {
              "type": "string",
              "format": "date-time"
             },
             "end": {
              "type": "string",
              "format": "date-time"
             },
             "duration_s": {
              "type": [
               "number",
               "null"
              ]
             },
             "energy_kcal": {
              "type": [
               "number",
               "null"
              ]
             },
             "distance_m": {
              "type": [
               "number",
               "null"
              ]
             },
             "source": {
              "$ref": "#/components/schemas/Source"
             },
             "has_route": {
              "type": "boolean"
             },
             "heart_rate": {
              "oneOf": [
               {
                "type": "object",
                "properties": {
                 "min": {
                  "type": [
                   "number",
                   "null"
                  ]
                 },
                 "mean": {
                  "type": [
                   "number",
                   "null"
                  ]
                 },
                 "max": {
                  "type": [
                   "number",
                   "null"
                  ]
                 },
                 "points": {
                  "type": "array",
                  "items": {
                   "type": "array",
                   "prefixItems": [
                    {
                     "type": "string",
                     "format": "date-time"
                    },
                    {
                     "type": [
                      "number",
                      "null"
                     ]
                    }
                   ],
                   "minItems": 2,
                   "maxItems": 2
                  }
                 }
                },
                "additionalProperties": false,
                "required": [
                 "min",
                 "mean",
                 "max",
                 "points"
                ]
               },
               {
                "type": "null"
               }
              ]
             },
             "route": {
              "type": "array",
              "items": {
               "type": "array",
               "prefixItems": [
                {
                 "type": "string",
                 "format": "date-time"
                },
                {
                 "type": "number"
                },
                {
                 "type": "number"
                },
                {
                 "type": [
                  "number",
                  "null"
                 ]
                }
               ],
               "minItems": 4,
               "maxItems": 4
              }
             },
             "splits": {
              "type": "object",
              "properties": {
               "km": {
                "type": "array",
                "items": {
                 "$ref": "#/components/schemas/Split"
                }
               },
               "mile": {
                "type": "array",
                "items": {
                 "$ref": "#/components/schemas/Split"
                }
               }
              },
              "additionalProperties": false,
              "required": [
               "km",
               "mile"
              ]
             },
             "body": {
              "type": "object"
             }
            },
            "additionalProperties": false,
            "required": [
             "uuid",
             "device",
             "activity",
             "start",
             "end",
             "duration_s",
             "energy_kcal",
             "distance_m",
             "source",
             "has_route",
             "heart_rate",
             "route",
             "splits",
             "body"
            ]
           },
           "Ring": {
            "type": "object",
            "properties": {
             "phone": {
              "type": [
               "number",
               "null"
              ]
             },
             "goal": {
              "type": [
               "number",
               "null"
              ]
             },
             "computed": {
              "type": [
               "number",
               "null"
              ]
             },
             "drift": {
              "type": [
               "number",
               "null"
              ]
             },
             "explained_by": {
              "oneOf": [
               {
                "$ref": "#/components/schemas/Source"
               },
               {
                "type": "null"
               }
              ]
             }
            },
            "additionalProperties": false,
            "required": [
             "phone",
             "goal",
             "computed",
             "drift",
             "explained_by"
            ]
           },
           "Activity": {
            "type": "object",
            "properties": {
             "days": {
              "type": "array",
              "items": {
               "type": "object",
               "properties": {
                "date": {
                 "type": "string",
                 "format": "date"
                },
                "move": {
                 "$ref": "#/components/schemas/Ring"
                },
                "exercise": {
                 "$ref": "#/components/schemas/Ring"
                },
                "stand": {
                 "$ref": "#/components/schemas/Ring"
                }
               },
               "additionalProperties": false,
               "required": [
                "date",
                "move",
                "exercise",
                "stand"
               ]
              }
             }
            },
            "additionalProperties": false,
            "required": [
             "days"
            ]
           },
           "Change": {
            "type": "object",
            "properties": {
             "op": {
              "enum": [
               "insert",
               "update",
               "delete"
              ]
             },
             "type": {
              "type": "string"
             },
             "device": {
              "type": "string"
             },
             "uuid": {
              "type": "string"
             },
             "part": {
              "type": "integer"
             },
             "sample": {
              "$ref": "#/components/schemas/Sample"
             }
            },
            "additionalProperties": false,
            "required": [
             "op",
             "type",
             "device",
             "uuid",
             "part"
            ]
           },
           "Changes": {
            "type": "object",
            "properties": {
             "changes": {
              "type": "array",
              "items": {
               "$ref": "#/components/schemas/Change"
              }
             },
             "next": {
              "type": "string"
             },
             "more": {
              "type": "boolean"
             }
            },
            "additionalProperties": false,
            "required": [
             "changes",
             "next",
             "more"
            ]
           },
           "Command": {
            "type": "object",
            "properties": {
             "id": {
              "type": "string"
             },
             "endpoint": {
              "type": "string"
             },
             "version": {
              "type": "integer",
              "minimum": 0
             },
             "op": {
              "enum": [
               "write",
               "delete"
              ]
             },
             "type": {
              "type": "string"
             },
             "value": {
              "type": [
               "number",
               "string",
               "null"
              ]
             },
             "unit": {
              "type": [
               "string",
               "null"
              ]
             },
             "start": {
              "type": [
               "string",
               "null"
              ],
              "format": "date-time"
             },
             "end": {
              "type": [
               "string",
               "null"
              ],
              "format": "date-time"
             },
             "state": {
              "enum": [
               "waiting",
               "applied",
               "rejected"
              ]
             },
             "reason": {
              "type": [
               "string",
               "null"
              ]
             },
             "sent": {
              "type": "integer",
              "minimum": 0
             },
             "queued_at": {
              "type": "string",
              "format": "date-time"
             },
             "first_sent_at": {
              "type": [
               "string",
               "null"
              ],
              "format": "date-time"
             },
             "last_sent_at": {
              "type": [
               "string",
               "null"
              ],
              "format": "date-time"
             },
             "result_at": {
              "type": [
               "string",
               "null"
              ],
              "format": "date-time"
             },
             "sample": {
              "type": [
               "string",
               "null"
              ]
             }
            },
            "additionalProperties": false,
            "required": [
             "id",
             "endpoint",
             "version",
             "op",
             "type",
             "value",
             "unit",
             "start",
             "end",
             "state",
             "reason",
             "sent",
             "queued_at",
             "first_sent_at",
             "last_sent_at",
             "result_at",
             "sample"
            ]
           },
           "Commands": {
            "type": "object",
            "properties": {
             "commands": {
              "type": "array",
              "items": {
               "$ref": "#/components/schemas/Command"
              }
             }
            },
            "additionalProperties": false,
            "required": [
             "commands"
            ]
           },
           "NewCommand": {
            "oneOf": [
             {
              "type": "object",
              "description": "As `server write` takes it; a time without an offset is on the endpoint's clock.",
              "properties": {
               "type": {
                "type": "string",
                "pattern": "^[a-z][a-z0-9_]{1,63}$"
               },
               "value": {
                "type": [
                 "number",
                 "string"
                ]
               },
               "unit": {
                "type": "string"
               },
               "start": {
                "type": "string",
                "format": "date-time"
               },
               "end": {
                "type": "string",
                "format": "date-time"
               },
               "id": {
                "type": "string",
                "pattern": "^[A-Za-z0-9_.:-]{1,64}$"
               },
               "endpoint": {
                "type": "string"
               }
              },
              "additionalProperties": false,
              "required": [
               "type",
               "value"
              ]
             },
             {
              "type": "object",
              "description": "Has the phone delete what a command wrote.",
              "properties": {
               "delete": {
                "type": "string"
               },
               "endpoint": {
                "type": "string"
               }
              },
              "additionalProperties": false,
              "required": [
               "delete"
              ]
             }
            ]
           },
           "CommandMade": {
            "type": "object",
            "properties": {
             "id": {
              "type": "string"
             },
             "version": {
              "type": "integer",
              "minimum": 0
             },
             "warnings": {
              "type": "array",
              "items": {
               "type": "string"
              }
             }
            },
            "additionalProperties": false,
            "required": [
             "id",
             "version",
             "warnings"
            ]
           },
           "Status": {
            "type": "object",
            "properties": {
             "endpoints": {
              "type": "array",
              "items": {
               "type": "object",
               "properties": {
                "name": {
                 "type": "string"
                },
                "person": {
                 "type": "string"
                },
                "format": {
                 "type": "string"
                },
                "auth": {
                 "type": "string"
                },
                "signed": {
                 "type": "boolean"
                },
                "last_stored": {
                 "type": [
                  "string",
                  "null"
                 ],
                 "format": "date-time"
                },
                "samples": {
                 "type": [
                  "integer",
                  "null"
                 ],
                 "minimum": 0
                }
               },
               "additionalProperties": false,
               "required": [
                "name",
                "person",
                "format",
                "auth",
                "signed",
                "last_stored",
                "samples"
               ]
              }
             },
             "waiting": {
              "type": "integer",
              "minimum": 0
             },
             "commands": {
              "type": "array",
              "items": {
               "type": "object",
               "properties": {
                "id": {
                 "type": "string"
                },
                "endpoint": {
                 "type": "string"
                },
                "version": {
                 "type": "integer",
                 "minimum": 0
                },
                "op": {
                 "enum": [
                  "write",
                  "delete"
                 ]
                },
                "type": {
                 "type": "string"
                },
                "state": {
                 "enum": [
                  "waiting",
                  "applied",
                  "rejected"
                 ]
                },
                "reason": {
                 "type": [
                  "string",
                  "null"
                 ]
                },
                "sent": {
                 "type": "integer",
                 "minimum": 0
                }
               },
               "additionalProperties": false,
               "required": [
                "id",
                "endpoint",
                "version",
                "op",
                "type",
                "state",
                "reason",
                "sent"
               ]
              }
             },
             "last_stored": {
              "type": [
               "string",
               "null"
              ],
              "format": "date-time"
             },
             "warnings": {
              "type": "array",
              "items": {
               "type": "object",
               "properties": {
                "code": {
                 "type": "string"
                },
                "message": {
                 "type": "string"
                }
               },
               "additionalProperties": false,
               "required": [
                "code",
                "message"
               ]
              }
             },
             "rhythms": {
              "type": "array",
              "items": {
               "type": "object",
               "properties": {
                "endpoint": {
                 "type": "string"
                },
                "person": {
                 "type": "string"
                },
                "type": {
                 "type": "string"
                },
                "last_stored": {
                 "type": "string",
                 "format": "date-time"
                },
                "usual_s": {
                 "type": "number"
                },
                "longest_s": {
                 "type": "number"
                },
                "quiet": {
                 "type": "boolean"
                }
               },
               "additionalProperties": false,
               "required": [
                "endpoint",
                "person",
                "type",
                "last_stored",
                "usual_s",
                "longest_s",
                "quiet"
               ]
              }
             },
             "deliveries": {
              "type": "array",
              "items": {
               "type": "object",
               "properties": {
                "endpoint": {
                 "type": "string"
                },
                "received_at": {
                 "type": "string",
                 "format": "date-time"
                },
                "dialect": {
                 "type": [
                  "string",
                  "null"
                 ]
                },
                "status": {
                 "type": "integer"
                },
                "code": {
                 "type": [
                  "string",
                  "null"
                 ]
                },
                "stored": {
                 "type": "integer",
                 "minimum": 0
                },
                "changed": {
                 "type": "integer",
                 "minimum": 0
                },
                "deleted": {
                 "type": "integer",
                 "minimum": 0
                },
                "skipped": {
                 "type": "integer",
                 "minimum": 0
                }
               },
               "additionalProperties": false,
               "required": [
                "endpoint",
                "received_at",
                "dialect",
                "status",
                "code",
                "stored",
                "changed",
                "deleted",
                "skipped"
               ]
              }
             }
            },
            "additionalProperties": false,
            "required": [
             "endpoints",
             "waiting",
             "commands",
             "last_stored",
             "warnings",
             "rhythms",
             "deliveries"
            ]
           },
           "Token": {
            "type": "object",
            "properties": {
             "name": {
              "type": "string"
             },
             "scope": {
              "enum": [
               "read",
               "write"
              ]
             },
             "person": {
              "type": [
               "string",
               "null"
              ]
             },
             "persons": {
              "type": "array",
              "items": {
               "type": "string"
              }
             },
             "types": {
              "type": [
               "array",
               "null"
              ],
              "items": {
               "type": "string"
              }
             },
             "expires": {
              "type": [
               "string",
               "null"
              ],
              "format": "date-time"
             }
            },
            "additionalProperties": false,
            "required": [
             "name",
             "scope",
             "person",
             "persons",
             "types",
             "expires"
            ]
           },
           "SignIn": {
            "type": "object",
            "properties": {
             "token": {
              "type": "string"
             }
            },
            "additionalProperties": false,
            "required": [
             "token"
            ]
           }
          },
          "responses": {
           "304": {
            "description": "The client has this answer: its `If-None-Match` is the `ETag`."
           },
           "400": {
            "description": "A parameter or a member of the body is not right; `code` and `parameter` say which.",
            "content": {
             "application/problem+json": {
              "schema": {
               "$ref": "#/components/schemas/Problem"
              }
             }
            }
           },
           "401": {
            "description": "No token, or not a good one.",
            "content": {
             "application/problem+json": {
              "schema": {
               "$ref": "#/components/schemas/Problem"
              }
             }
            }
           },
           "403": {
            "description": "The token is not for that: `forbidden`, `person_forbidden`, `type_forbidden`, `cross_origin`.",
            "content": {
             "application/problem+json": {
              "schema": {
               "$ref": "#/components/schemas/Problem"
              }
             }
            }
           },
           "404": {
            "description": "`not_found`, `person_unknown`.",
            "content": {
             "application/problem+json": {
              "schema": {
               "$ref": "#/components/schemas/Problem"
              }
             }
            }
           },
           "406": {
            "description": "No form that `Accept` takes.",
            "content": {
             "application/problem+json": {
              "schema": {
               "$ref": "#/components/schemas/Problem"
              }
             }
            }
           },
           "409": {
            "description": "`command_sent`, `command_conflict`.",
            "content": {
             "application/problem+json": {
              "schema": {
               "$ref": "#/components/schemas/Problem"
              }
             }
            }
           },
           "410": {
            "description": "`cursor_expired`: begin anew.",
            "content": {
             "application/problem+json": {
              "schema": {
               "$ref": "#/components/schemas/Problem"
              }
             }
            }
           },
           "413": {
            "description": "The body is too large.",
            "content": {
             "application/problem+json": {
              "schema": {
               "$ref": "#/components/schemas/Problem"
              }
             }
            }
           },
           "415": {
            "description": "Another `Content-Type` than this takes, or a body with an encoding.",
            "content": {
             "application/problem+json": {
              "schema": {
               "$ref": "#/components/schemas/Problem"
              }
             }
            }
           },
           "429": {
            "description": "Too many wrong tokens from this address; `Retry-After` says for how long.",
            "content": {
             "application/problem+json": {
              "schema": {
               "$ref": "#/components/schemas/Problem"
              }
             }
            }
           },
           "503": {
            "description": "The data can't be read now.",
            "content": {
             "application/problem+json": {
              "schema": {
               "$ref": "#/components/schemas/Problem"
              }
             }
            }
           }
          },
          "securitySchemes": {
           "token": {
            "type": "http",
            "scheme": "bearer",
            "description": "Of `server token add`."
           },
           "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": "syncky_session"
           }
          }
         }
        }

        """#
}
