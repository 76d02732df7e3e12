import { OFFERED_SCOPES, SCOPES } from '../../../contract/accounts/scopes.ts'
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '../../../contract/errors.ts'
import { BASE, COOKIE_FILE } from './curl.ts'

/** Text can contain `code` and [links](#id) within this server. */
export type Block = string | { title: string; code: string } | { columns: string[]; rows: string[][] }

export interface Section {
  id: string
  title: string
  blocks: Block[]
}

export const GETTING_STARTED: Section[] = [
  {
    id: 'base-url',
    title: 'Base URL',
    blocks: [
      'The API accepts and returns JSON over HTTP. The dashboard and the command line use the same API.',
      { title: 'Base URL', code: BASE },
    ],
  },
  {
    id: 'get-a-key',
    title: 'Get an API key',
    blocks: [
      'Create an API key in the dashboard under [API keys](/settings/api-keys). The full key is shown once; the server stores only its hash.',
      'Alternatively, use a terminal: sign in, save the session cookie to a file, and create a key. Examples that require a browser session read this file.',
      {
        title: 'From a terminal',
        code: `curl ${BASE}/api/v1/auth/sign-in/email \\
  -c ${COOKIE_FILE} \\
  -H 'Content-Type: application/json' \\
  -d '{ "email": "ada@example.com", "password": "…" }'

curl ${BASE}/api/v1/api-keys \\
  -b ${COOKIE_FILE} \\
  -H 'Content-Type: application/json' \\
  -d '{ "name": "Deploy bot" }'`,
      },
    ],
  },
  {
    id: 'first-call',
    title: 'Make your first request',
    blocks: [
      'Send the key as a bearer token. The examples on this page read it from the environment variable `ATRIUM_API_KEY`.',
      {
        title: 'First request',
        code: `export ATRIUM_API_KEY=atrium_…

curl ${BASE}/api/v1/feedback \\
  -H "Authorization: Bearer $ATRIUM_API_KEY"`,
      },
    ],
  },
]

/** An error code without a description doesn't compile. */
const ERROR_DESCRIPTIONS: Record<ErrorCode, string> = {
  BAD_REQUEST: 'The request is invalid. `details` lists each invalid field and the reason',
  UNAUTHORIZED: 'The credential is missing, invalid or expired',
  FORBIDDEN: 'The credential does not permit this call; `details.reason` gives the reason',
  NOT_FOUND: 'The resource does not exist, or the caller has no access to it',
  REQUEST_TIMEOUT:
    'The headers or the body arrived too slowly. The connection is closed; send the request again',
  CONFLICT:
    'The call conflicts with the resource’s state, or a request with the same idempotency key is in progress',
  PRECONDITION_FAILED: 'The resource has changed since the version in `If-Match`',
  PAYLOAD_TOO_LARGE: 'The body exceeds the endpoint’s size limit',
  UNSUPPORTED_MEDIA_TYPE:
    'The content type is not supported; use `application/json` unless the endpoint lists another type',
  RATE_LIMITED: 'The rate limit is exceeded; retry after the seconds given in `Retry-After`',
  HEADERS_TOO_LARGE: 'The URL and the headers together exceed 16 KB',
  INTERNAL: 'The server failed. Its log contains the cause under the request id',
  PROVIDER_ERROR: 'An external service failed or refused the request',
  UNAVAILABLE: 'The server is temporarily unavailable; retry after the seconds given in `Retry-After`',
  INSUFFICIENT_STORAGE:
    'The database disk, the server disk or the file storage is full; `details.reason` is `database_full`, `server_disk_full` or `object_storage_full`. Nothing was stored',
}

const ERROR_EXAMPLE: ErrorBody = {
  success: false,
  error: {
    code: 'BAD_REQUEST',
    message: 'body.message is required',
    details: [{ path: 'body.message', message: 'is required' }],
    requestId: '0197f6c2-5c1e-7a40-9c3d-2b1f0e8d7a65',
  },
}

export const CONVENTIONS: Section[] = [
  {
    id: 'credentials',
    title: 'Credentials',
    blocks: [
      'An API key belongs to one user in one organization and is limited to its [scopes](#scopes). Send it as `Authorization: Bearer <key>`. A browser session is a cookie and has all scopes. If a request has both, the server uses the key.',
      'Sensitive endpoints refuse API keys and require a browser session. The most sensitive ones also require step-up: the user has confirmed their identity within the last 10 minutes. Signing in with a password opens the step-up window, and `POST /api/v1/auth/step-up` opens it again. Without step-up, these endpoints return `FORBIDDEN` with `details.reason` = `step_up_required`.',
      'While an operator has suspended an organization, or it is scheduled for erasure, every call for it returns `FORBIDDEN` with `details.reason` = `organization_suspended`; account endpoints, such as switching to another organization, still work. Received webhooks get `UNAVAILABLE`, so that their senders repeat them.',
    ],
  },
  {
    id: 'responses',
    title: 'Responses',
    blocks: [
      'Endpoints return a single resource as an object and a list as `{ "items": […] }` with pagination fields. Some endpoints wrap the response as `{ "success": true, "data": … }`; the endpoint’s response table shows it.',
      'Ids are UUIDs. Timestamps are ISO 8601 in UTC with milliseconds. Length limits count Unicode code points. An unknown field in a body or a query is an error that names the field, so that a typo is never ignored.',
    ],
  },
  {
    id: 'errors',
    title: 'Errors',
    blocks: [
      'All errors have the same format, and each code has one HTTP status. Handle errors by `code` and, if present, `details.reason`; `message` is for humans and may change. For invalid input, `details` is a list of fields; otherwise it is an object with a `reason`. Each endpoint lists its expected codes, but any code can occur.',
      {
        columns: ['Status', 'Code', 'Meaning'],
        rows: Object.entries(ERROR_STATUS).map(([code, status]) => [
          String(status),
          `\`${code}\``,
          ERROR_DESCRIPTIONS[code as ErrorCode],
        ]),
      },
      { title: '400 error', code: JSON.stringify(ERROR_EXAMPLE, null, 2) },
    ],
  },
  {
    id: 'pagination',
    title: 'Pagination',
    blocks: [
      'Lists return up to `limit` items and a `nextCursor`. Pass it as `cursor` to get the next page; it is `null` on the last page. Cursors are opaque. A cursor that was modified or belongs to another list returns `BAD_REQUEST`. Lists with `offset` also return the `total`.',
      {
        title: 'Next page',
        code: `curl '${BASE}/api/v1/feedback/<id>/comments?limit=50&cursor=<nextCursor>' \\
  -H "Authorization: Bearer $ATRIUM_API_KEY"`,
      },
    ],
  },
  {
    id: 'idempotency',
    title: 'Idempotency',
    blocks: [
      'Endpoints that list the header `Idempotency-Key` can be retried safely, for example after a connection error. Send a unique key (1 to 200 characters). For 24 hours, a request with the same key has no further effect and returns the first response with the header `idempotency-replayed: true`. The same key with a different request returns `BAD_REQUEST`. A retry while the first request is in progress returns `CONFLICT`. Errors are not stored, so a failed request can be retried with the same key.',
    ],
  },
  {
    id: 'versions',
    title: 'Versions',
    blocks: [
      'Versioned resources have an `etag`. Send it as `If-None-Match` in a read to get 304 without a body if the resource is unchanged. Send it as `If-Match` in a write to avoid overwriting concurrent changes: a stale version returns `PRECONDITION_FAILED`. Without the header, the last write wins.',
    ],
  },
  {
    id: 'rate-limits',
    title: 'Rate limits',
    blocks: [
      'Rate limits are token buckets, which allow bursts and refill evenly. Each endpoint lists its limit. Responses from limited endpoints have these headers:',
      {
        columns: ['Header', 'Meaning'],
        rows: [
          ['`ratelimit-limit`', 'Bucket size'],
          ['`ratelimit-remaining`', 'Remaining calls'],
          ['`ratelimit-reset`', 'Seconds until the bucket is full'],
          ['`retry-after`', 'On a refusal: seconds until the next call is allowed'],
        ],
      },
    ],
  },
  {
    id: 'request-ids',
    title: 'Request IDs',
    blocks: [
      'Every response has an `x-request-id`, which also appears in error bodies and in the server log. To trace a request across systems, send your own: 8 to 128 letters, digits, dots, dashes or underscores.',
    ],
  },
  {
    id: 'scopes',
    title: 'Scopes',
    blocks: [
      'An API key has its user’s permissions. Scopes limit it on the endpoints that name one in their access line; the others accept every key. A read-only key (`readOnly`) is refused by every call that is not a GET or HEAD request: FORBIDDEN with the reason `read_only_key`. It can revoke itself.',
      {
        columns: ['Scope', 'Grants'],
        rows: OFFERED_SCOPES.map((scope) => [`\`${scope}\``, SCOPES[scope]]),
      },
    ],
  },
]
