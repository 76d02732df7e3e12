import { BASE, COOKIE_FILE } from './curl.ts'

/** A piece of the guide. Text may hold `code` and [links](#to) within this server. */
export type Block = string | { title: string; code: string } | { columns: string[]; rows: string[][] }

export interface Section {
  id: string
  title: string
  blocks: Block[]
}

/** From nothing to the first answer. */
export const GETTING_STARTED: Section[] = [
  {
    id: 'base-url',
    title: 'Base URL',
    blocks: [
      'Every call goes to the address of this server, takes JSON and answers JSON. The dashboard and the command line use the same API: whatever they do, you can do.',
      { title: 'Base URL', code: BASE },
    ],
  },
  {
    id: 'get-a-key',
    title: 'Get an API key',
    blocks: [
      'Create one in the dashboard under [API keys](/settings/api-keys). The whole key is shown once; this server keeps only its hash.',
      'The same works from a terminal: sign in, keep the cookie in a file, and mint a key with it. Every example below that needs a browser session reads this file.',
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
    title: 'Make the first call',
    blocks: [
      'Send the key as a bearer token. The examples on this page read it from `ATRIUM_API_KEY`, so after this line they can be pasted as they are.',
      {
        title: 'First call',
        code: `export ATRIUM_API_KEY=atrium_…

curl ${BASE}/api/v1/feedback \\
  -H "Authorization: Bearer $ATRIUM_API_KEY"`,
      },
    ],
  },
]
