import { describe, test } from 'vitest'
import { featureOf, publicModuleOf } from './features.ts'
import { fence } from './fence.ts'
import { files, productImports, sources, textOf } from './imports.ts'

describe('folders', () => {
  test('the contract imports only zod', () => {
    fence(
      'a browser, a terminal and a server all read contract/',
      productImports.filter(
        ({ from, to }) => from.startsWith('contract/') && to !== 'zod' && !to.startsWith('contract/'),
      ),
    )
  })

  test('the client imports only the contract and the event stream parser', () => {
    fence(
      'client/ must run wherever fetch exists',
      productImports.filter(
        ({ from, to }) =>
          from.startsWith('client/') && !/^(client|contract)\//.test(to) && to !== 'eventsource-parser',
      ),
    )
  })

  test('the dashboard and the CLI never import the server', () => {
    fence(
      'what they need from the server belongs in the API, where other clients can use it too',
      productImports.filter(({ from, to }) => /^(dashboard|cli)\//.test(from) && to.startsWith('server/')),
    )
  })

  test('the dashboard ships no schemas to the browser', () => {
    const pages = sources.filter((file) => /^dashboard\/(?!bundling\/|vite\.config)/.test(file))
    const reached = new Set(pages)
    const values = Map.groupBy(
      productImports.filter(({ isType }) => !isType),
      ({ from }) => from,
    )
    for (const file of reached) for (const { to } of values.get(file) ?? []) reached.add(to)
    fence(
      'zod would add 17 kB to the first load: plain data belongs in a contract file of its own; methods and paths reach the browser through virtual:routes',
      productImports.filter(({ from, to, isType }) => to === 'zod' && !isType && reached.has(from)),
    )
  })

  test('transports and features never import each other', () => {
    const isTransport = (path: string) => /^server\/(http|mcp)\//.test(path)
    const isFeature = (path: string) => path.startsWith('server/features/')
    fence(
      'app.ts passes the routes, so that a feature works on any transport',
      productImports.filter(
        ({ from, to }) => (isTransport(from) && isFeature(to)) || (isFeature(from) && isTransport(to)),
      ),
    )
  })

  test('tools import no feature and no transport', () => {
    fence(
      'runs and MCP share them: app.ts or their caller passes what they need, and endpoints do the rest',
      productImports.filter(
        ({ from, to }) => from.startsWith('server/tools/') && /^server\/(features|http|mcp)\//.test(to),
      ),
    )
  })

  test("a feature imports only another's public module", () => {
    fence(
      'features/group/x/x.ts is the interface of x; its other files may change at any time',
      productImports.filter(({ from, to }) => {
        const [importer, imported] = [featureOf(from), featureOf(to)]
        return importer && imported && importer !== imported && to !== publicModuleOf(imported)
      }),
    )
  })

  test('the product never imports test code', () => {
    fence(
      'fakes, factories and test servers belong under testing/ and stay out of the product',
      productImports.filter(
        ({ from, to }) => !from.startsWith('bench/') && /\/testing(\/|\.ts$)|^test\//.test(to),
      ),
    )
  })
})

describe('dependencies', () => {
  const DEPENDENCIES: [name: string, allowed: RegExp, packages: RegExp][] = [
    ['the web framework', /^(server\/http\/|bench\/)/, /^(fastify|@fastify\/.*)$/],
    // The job library needs a pool of the driver.
    ['the database driver', /^(server\/database\/|server\/jobs\/job-pool\.|bench\/)/, /^pg(-.*)?$/],
    ['the job library', /^server\/jobs\//, /^graphile-worker$/],
    // The CLI hashes local files to skip identical ones, and cannot import the server.
    [
      'cryptography',
      /^(server\/security\/|cli\/commands\/files\/hash\.ts$)/,
      /^(node:)?crypto$|^@node-rs\/argon2$|^otpauth$/,
    ],
    [
      'passkey verification',
      /^server\/features\/accounts\/accounts\/passkeys\/webauthn\.ts$/,
      /^@simplewebauthn\/server/,
    ],
    ['the OAuth client', /^server\/oauth\//, /^openid-client$/],
    ['the S3 SDK', /^server\/storage\/s3\.ts$/, /^@aws-sdk\//],
    ['SMTP', /^server\/mail\//, /^nodemailer$/],
    ['the outbound HTTP client', /^server\/outbound\//, /^undici$/],
    // A benchmark compares a step with the call of the SDK alone.
    ['language models', /^(server\/language-models\/|bench\/agents\.ts$)/, /^(ai|@ai-sdk\/.*)$/],
    ['OpenTelemetry', /^server\/observability\/otlp\//, /^@opentelemetry\//],
    ['the JavaScript sandbox', /^server\/sandbox\//, /^quickjs-wasi$/],
    ['the Markdown parser', /^markdown\//, /^markdown-it$/],
    [
      'parsers of untrusted files',
      /^server\/features\/files\/files\/(previews|images)\//,
      /^(@e965\/xlsx|mammoth|unpdf|sanitize-html|chardet|@imagemagick\/magick-wasm|@resvg\/resvg-wasm|@hyzyla\/pdfium)$/,
    ],
  ]
  test.each(DEPENDENCIES)('one folder alone imports %s', (_name, allowed, packages) => {
    fence(
      `only ${allowed} may import it, so that it can be replaced there`,
      productImports.filter(({ from, to }) => packages.test(to) && !allowed.test(from)),
    )
  })

  test('OpenTelemetry is loaded only if traces or metrics are sent', () => {
    fence(
      'its libraries occupy memory and time: server/observability/otlp/ is imported by `await import` alone',
      productImports.filter(
        ({ from, to, isLazy, isType }) =>
          to.startsWith('server/observability/otlp/') &&
          !from.startsWith('server/observability/otlp/') &&
          !isLazy &&
          !isType,
      ),
    )
  })

  test('config.ts alone reads the environment', () => {
    // The CLI runs on a machine of a user, so it has its own configuration.
    const readers = ['server/config/config.ts', 'cli/config.ts']
    fence(
      'configuration is read once, validated, and passed as a value',
      sources.filter((file) => !readers.includes(file) && textOf(file).includes('process.env')),
    )
  })
})

describe('files', () => {
  test('no file has a meaningless name', () => {
    const meaningless = /(^|\/)(utils?|helpers?|common|manager|service|types|misc|shared)(\.tsx?$|\/)/
    fence(
      'a file without a meaningful name has no clear purpose: find it',
      sources.filter((file) => meaningless.test(file)),
    )
  })

  test('dashboard forms take idempotency keys from createRequestKey', () => {
    fence(
      'a key that changes after an error creates a second record if only the response was lost; one that stays is refused for a changed form',
      sources.filter((file) => file.startsWith('dashboard/') && textOf(file).includes('useState(randomId)')),
    )
  })

  test('no file contains deferred work', () => {
    const later = /\b(TODO|FIXME|XXX|HACK)\b/
    fence(
      'unfinished work is an issue, not a comment',
      files.filter((file) => file !== 'test/architecture/boundaries.test.ts' && later.test(textOf(file))),
    )
  })

  test('no file only re-exports others', () => {
    fence(
      'import from the file that defines it; contract/index.ts is the one table of contents',
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
