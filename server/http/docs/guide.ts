import { BASE, COOKIE_FILE } from './curl.ts'

/** One block of the guide. Text can contain `code` and [links](#id) within this server. */
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
