import { SCOPES } from '../../../contract/accounts/scopes.ts'
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '../../../contract/errors.ts'
import { BASE } from './curl.ts'
import type { Section } from './guide.ts'

/** The tables come from the contract; a new code without its words does not compile. */
const ERROR_WORDS: Record<ErrorCode, string> = {
  BAD_REQUEST: 'The input is not valid. `details` names each field and what is wrong with it',
  UNAUTHORIZED: 'No credential, or one that is not valid any more',
  FORBIDDEN: 'The credential is valid but not enough; `details.reason` tells what is missing',
  NOT_FOUND: 'It does not exist, was deleted, or is not yours to see',
  CONFLICT: 'The state does not allow it, or the first of two equal requests is still running',
  PRECONDITION_FAILED: 'The record has changed since the version in `If-Match`',
  PAYLOAD_TOO_LARGE: 'The body is larger than the operation accepts',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not `application/json`',
  RATE_LIMITED: 'Too many calls; `Retry-After` says in how many seconds to try again',
  INTERNAL: 'Our fault. The request id finds the cause in the log of the server',
  PROVIDER_ERROR: 'A service outside this server refused or failed',
  UNAVAILABLE: 'The server cannot work right now; try again soon',
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

/** What holds for every operation. */
export const CONVENTIONS: Section[] = [
  {
    id: 'credentials',
    title: 'Credentials',
    blocks: [
      'An API key belongs to one person in one organization and opens what its [scopes](#scopes) say. Send it as `Authorization: Bearer <key>`. A browser session is a cookie and has every scope. If both arrive, the key decides.',
      'What a stolen key must never do needs a browser session, and the riskiest of it step-up: having confirmed who you are within the last 10 minutes. Signing in with a password counts; `POST /api/v1/auth/step-up` opens the next 10 minutes. Without it the answer is `FORBIDDEN` with `details.reason` = `step_up_required`.',
    ],
  },
  {
    id: 'answers',
    title: 'Answers',
    blocks: [
      'A single record is answered as itself, a collection as `{ "items": […] }` with its paging fields. Some operations wrap this as `{ "success": true, "data": … }`; the response table of each shows it.',
      'Ids are UUIDs. Timestamps are ISO 8601 in UTC with milliseconds. Text is counted in Unicode code points, so an emoji is one character or a few, never cut in half. An unknown field in a body or query is refused by name, so that a typing error never passes in silence.',
    ],
  },
  {
    id: 'errors',
    title: 'Errors',
    blocks: [
      'Every failure has the same body, and its status always agrees with its code. Decide by `code` and, where there is one, `details.reason`; `message` is for people. `details` is a list of fields for invalid input, otherwise an object with a `reason`. Each operation lists the codes to expect; be ready for any of them.',
      {
        columns: ['Status', 'Code', 'Meaning'],
        rows: Object.entries(ERROR_STATUS).map(([code, status]) => [
          String(status),
          `\`${code}\``,
          ERROR_WORDS[code as ErrorCode],
        ]),
      },
      { title: '400 error', code: JSON.stringify(ERROR_EXAMPLE, null, 2) },
    ],
  },
  {
    id: 'paging',
    title: 'Paging',
    blocks: [
      'Long lists are answered in pages of `limit` records with a `nextCursor`: pass it as `cursor` for the next page; at the end it is `null`. A cursor is opaque, and one that was altered or belongs to another list is `BAD_REQUEST`. Lists that take `offset` instead also tell the `total`.',
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
      'Operations that list the header `Idempotency-Key` can be repeated safely, for example after a lost connection. Send a value of your own, 1 to 200 characters. For 24 hours a repeat is not carried out again but answered as the first time, with `idempotency-replayed: true`. The same key with another body is `BAD_REQUEST`; a repeat while the first is still running is `CONFLICT`. Failures are not kept: they may be tried again with the same key.',
    ],
  },
  {
    id: 'versions',
    title: 'Versions',
    blocks: [
      'A record that can change carries its version as `etag`. Send it as `If-None-Match` when reading and an unchanged record is a 304 without a body. Send it as `If-Match` when writing and nobody’s change is overwritten unseen: a stale version is `PRECONDITION_FAILED`. Without the header the last write wins.',
    ],
  },
  {
    id: 'rate-limits',
    title: 'Rate limits',
    blocks: [
      'Limited operations say so. The allowance refills evenly, so it can be used at once or spread out. Every answer of such an operation tells where you stand:',
      {
        columns: ['Header', 'Meaning'],
        rows: [
          ['`ratelimit-limit`', 'How many calls fit in at once'],
          ['`ratelimit-remaining`', 'How many are left now'],
          ['`ratelimit-reset`', 'In how many seconds all of them are available again'],
          ['`retry-after`', 'On a refusal: in how many seconds the next call will pass'],
        ],
      },
    ],
  },
  {
    id: 'request-ids',
    title: 'Request ids',
    blocks: [
      'Every answer has an `x-request-id`, which is also in the body of every error and in the log of the server. Send your own to follow a call across systems: 8 to 128 letters, digits, dots, dashes or underscores.',
    ],
  },
  {
    id: 'scopes',
    title: 'Scopes',
    blocks: [
      'What an API key may open. Choose the fewest that do the job; an operation without a scope in its access line is open to every key.',
      {
        columns: ['Scope', 'Opens'],
        rows: Object.entries(SCOPES).map(([scope, words]) => [`\`${scope}\``, words]),
      },
    ],
  },
]
