import { describe, expect, test } from 'vitest'
import {
  circles,
  files,
  type Import,
  importsOf,
  productImports,
  sources,
  textOf,
  written,
} from './imports.ts'

const LINES_MAX = 300
const LINES_MEDIAN_MAX = 80
const LINES_NINE_OF_TEN_MAX = 200

/** Each fence states why it stands, and the failure repeats it beside what broke it. */
function fence(reason: string, offenders: (Import | string)[]) {
  const list = offenders.map((entry) =>
    typeof entry === 'string' ? entry : `${entry.from} imports ${entry.to}`,
  )
  expect(list, reason).toEqual([])
}

describe('walls between the folders', () => {
  test('the contract imports zod only, so that a browser, a terminal and a server can all read it', () => {
    fence(
      'contract/ describes the API to everybody: it may need nothing but zod',
      productImports.filter(
        ({ from, to }) => from.startsWith('contract/') && to !== 'zod' && !to.startsWith('contract/'),
      ),
    )
  })

  test('the client imports the contract and a parser of event streams only', () => {
    fence(
      'client/ must run wherever fetch exists',
      productImports.filter(
        ({ from, to }) =>
          from.startsWith('client/') && !/^(client|contract)\//.test(to) && to !== 'eventsource-parser',
      ),
    )
  })

  test('the dashboard and the command line never import the server', () => {
    fence(
      'whatever they need of the server must be in the API, where everybody else can reach it too',
      productImports.filter(({ from, to }) => /^(dashboard|cli)\//.test(from) && to.startsWith('server/')),
    )
  })

  test('the dashboard ships no schemas to the browser', () => {
    fence(
      'zod alone would be a third of the first load: values of schema files reach the browser through virtual:routes',
      productImports.filter(
        ({ from, to, isType }) =>
          /^dashboard\/(?!bundling\/|vite\.config)/.test(from) &&
          to.startsWith('contract/') &&
          !isType &&
          importsOf(to).some((next) => next.to === 'zod' && !next.isType),
      ),
    )
  })

  test('http and features do not know each other', () => {
    const isTransport = (path: string) => /^server\/(http|mcp)\//.test(path)
    const isFeature = (path: string) => path.startsWith('server/features/')
    fence(
      'app.ts hands the routes over, so that a feature can be offered on any transport',
      productImports.filter(
        ({ from, to }) => (isTransport(from) && isFeature(to)) || (isFeature(from) && isTransport(to)),
      ),
    )
  })

  test('a feature reaches another only through its front door', () => {
    const featureOf = (path: string) => /^server\/features\/([^/]+)\//.exec(path)?.[1]
    fence(
      'features/x/x.ts is what x promises to others; the rest of the folder may change at any time',
      productImports.filter(({ from, to }) => {
        const [mine, theirs] = [featureOf(from), featureOf(to)]
        return mine && theirs && mine !== theirs && to !== `server/features/${theirs}/${theirs}.ts`
      }),
    )
  })

  test('nothing imports in a circle', () => {
    fence('in a circle no part can be understood, tested or moved alone', circles())
  })
})

describe('rooms that keep a dependency to themselves', () => {
  const rooms: [name: string, allowed: RegExp, packages: RegExp][] = [
    ['the web framework', /^server\/http\//, /^(fastify|@fastify\/.*)$/],
    ['the database driver', /^(server\/database\/|bench\/)/, /^postgres$/],
    ['the job library', /^server\/jobs\//, /^graphile-worker$/],
    // The command line hashes files to see what is already there, and can reach nothing of the server.
    [
      'cryptography',
      /^(server\/security\/|cli\/files\/hash\.ts$)/,
      /^(node:)?crypto$|^@node-rs\/argon2$|^otpauth$/,
    ],
    [
      'passkey verification',
      /^server\/features\/accounts\/passkeys\/webauthn\.ts$/,
      /^@simplewebauthn\/server/,
    ],
    ['OAuth', /^server\/oauth\//, /^openid-client$/],
    ['the S3 SDK', /^server\/storage\/s3\.ts$/, /^@aws-sdk\//],
    ['mail', /^server\/mail\//, /^nodemailer$/],
    ['the outbound HTTP client', /^server\/outbound\//, /^undici$/],
    ['language models', /^server\/models\//, /^(ai|@ai-sdk\/.*)$/],
    [
      'what reads files of strangers',
      /^server\/features\/files\/previews\//,
      /^(@e965\/xlsx|mammoth|unpdf|markdown-it|sanitize-html|chardet)$/,
    ],
  ]
  test.each(rooms)('%s is imported in one place', (_name, allowed, packages) => {
    fence(
      `only ${allowed} may import it, so that it can be replaced there`,
      productImports.filter(({ from, to }) => packages.test(to) && !allowed.test(from)),
    )
  })

  test('the environment is read in config.ts alone', () => {
    // The command line is a program of its own, for another machine than the server's, so it has its own.
    const readers = ['server/config/config.ts', 'cli/config.ts']
    fence(
      'configuration is read once, checked, and then passed as a value',
      sources.filter((file) => !readers.includes(file) && textOf(file).includes('process.env')),
    )
  })

  test('the tenant is the first thing every query of a feature is given', () => {
    const withoutTenant = /^(.*\/)?(queue-queries|setup-queries|sweep-queries|operations\/queries)\.ts$/
    const allowed = new Set([
      'findAnywhere',
      'listOperators',
      'findCaller',
      'updateKeysUsed',
      ...ACCOUNT_QUERIES,
      ...DEVICE_LOGIN_QUERIES,
      ...WEBHOOK_QUERIES,
    ])
    const offenders = sources
      .filter((file) => /^server\/features\/.*queries\.ts$/.test(file) && !withoutTenant.test(file))
      .flatMap((file) => {
        const text = textOf(file)
        const names = [
          ...text.matchAll(
            /export (?:async function|const) (\w+)\s*=?\s*(?:async\s*)?\(\s*sql: Sql,?\s*(\w+)?/g,
          ),
        ]
        return names
          .filter(([, name, first]) => !['orgId', 'viewer'].includes(first!) && !allowed.has(name!))
          .map(([, name]) => `${file}: ${name}`)
      })
    fence(
      'a statement that begins without its organization is one slip away from leaking another one’s rows',
      offenders,
    )
  })
})

/** People and sessions exist above organizations: these look up who somebody is, before any tenant is known. */
const ACCOUNT_QUERIES = [
  'findSession',
  'insertSession',
  'updateSessionsSeen',
  'updateStepUp',
  'deleteSession',
  'deleteExpiredSessions',
  'findPassword',
  'findPasswordOf',
  'findSignInState',
  'findDefaultWorkspace',
  'listOrganizations',
  'insertPasskey',
  'findCredential',
  'listCredentials',
  'updatePasskeyUsed',
  'updatePasskeyName',
  'deletePasskey',
  'lockUserForUpdate',
  'hasSignInMethod',
  'findPasskeyUser',
  'findIdentity',
  'insertIdentity',
  'deleteIdentity',
  'findUserByEmail',
  'lockPassword',
  'findEmail',
  'updateClaimed',
  'deleteCredentials',
  'updateEmailVerified',
  'updateEmail',
  'findTotp',
  'updateTotpPending',
  'updateTotpEnabled',
  'updateTotpStep',
  'deleteTotp',
  'lockTotp',
  'insertRecoveryCodes',
  'deleteRecoveryCodes',
  'deleteRecoveryCode',
  'findSecurity',
  'listPasskeysOf',
  'listIdentitiesOf',
  'listSessionsOf',
  'deleteSessionOf',
  'deleteOtherSessions',
  'updatePassword',
  'updateProfileOf',
  'lockUser',
  'insertInvitedUser',
  'findInviteByToken',
  'findShareByToken',
  'findShareByGuestToken',
]

/** A device login belongs to nobody until somebody decides it: its codes are secrets, and all that it is found by. */
const DEVICE_LOGIN_QUERIES = [
  'insertLogin',
  'findByDeviceCode',
  'findByUserCode',
  'updatePolled',
  'updateConsumed',
  'deleteLoginsExpiredBefore',
]

/** Senders know an address and nothing else, workers deliver for everybody, and the time is the same for all. */
const WEBHOOK_QUERIES = [
  'findReceiver',
  'listReceiversOf',
  'claimDeliveries',
  'releaseOrphanedDeliveries',
  'findCommittedSnapshot',
]

describe('size and honesty', () => {
  const lengthOf = (file: string) => textOf(file).split('\n').length

  test('no file is longer than a person can hold in mind', () => {
    fence(
      `split by noun or behaviour, tests and styles as well; at most ${LINES_MAX} lines`,
      written.filter((file) => lengthOf(file) > LINES_MAX).map((file) => `${file}: ${lengthOf(file)} lines`),
    )
    // A test may be a long list of cases, so what is usual is asked of the sources alone.
    const lengths = sources.map(lengthOf).sort((left, right) => left - right)
    expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(LINES_MEDIAN_MAX)
    expect(lengths[Math.floor(lengths.length * 0.9)]).toBeLessThanOrEqual(LINES_NINE_OF_TEN_MAX)
  })

  test('no file is named after nothing', () => {
    const nameless = /(^|\/)(utils?|helpers?|common|manager|service|types|misc|shared)(\.tsx?$|\/)/
    fence(
      'a part without a name has no concept yet: find it',
      sources.filter((file) => nameless.test(file)),
    )
  })

  test('no work is left for later in the code', () => {
    const later = /\b(TODO|FIXME|XXX|HACK)\b/
    const others = files.filter((file) => file !== 'test/architecture.test.ts')
    fence(
      'what is not done is an issue, not a comment',
      others.filter((file) => later.test(textOf(file))),
    )
  })

  test('no barrels: a file of re-exports hides where things are', () => {
    fence(
      'import from the file that has it; contract/index.ts is the one table of contents',
      sources.filter((file) => {
        const statements = textOf(file)
          .split('\n')
          .filter((line) => line.trim() && !line.startsWith('//'))
        return (
          file !== 'contract/index.ts' &&
          statements.every((line) => /^export (type )?(\*|\{.*\}) from /.test(line))
        )
      }),
    )
  })
})
