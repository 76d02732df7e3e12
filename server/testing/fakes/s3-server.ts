import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { registerHooks } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3Config } from '../../config/object-store.ts'

const BUCKET = 'atrium-tests'

/**
 * s3rver doesn't encode !'()* in URLs before checking a signature, treats range 0-0 as the whole object, and serves
 * ranges of an empty object, which S3 refuses with 416.
 */
const CORRECTIONS: Record<string, [string, string][]> = {
  'middleware/authentication.js': [['.map(encodeURIComponent)', '.map(encodeURIComponentRFC3986)']],
  'stores/filesystem.js': [
    ['(options && options.end) || Infinity', 'options?.end ?? Infinity'],
    ['Math.max(0, Number(metadata', 'Math.max(options?.start === undefined ? 0 : -1, Number(metadata'],
  ],
}

async function loadServer() {
  const hooks = registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      const corrections = CORRECTIONS[url.split('/s3rver/lib/')[1] ?? '']
      if (!corrections) return loaded
      let source = Buffer.from(loaded.source as string).toString()
      for (const [wrong, right] of corrections) source = source.replace(wrong, right)
      return { ...loaded, source }
    },
  })
  const { default: S3rver } = await import('@20minutes/s3rver')
  hooks.deregister()
  return S3rver
}

/** Checks signatures. Lists and aborts uploads itself, which s3rver can't. */
export async function startS3Server() {
  const directory = await mkdtemp(join(tmpdir(), 'atrium-s3-'))
  const spoolFolder = await mkdtemp(join(tmpdir(), 'atrium-spool-'))
  const S3rver = await loadServer()
  const s3 = new S3rver({
    directory,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET }],
  })
  await s3.configureBuckets()
  const handle = s3.callback()
  const uploads = join(directory, BUCKET, '._S3rver_uploads')
  let shouldFail: ((request: IncomingMessage) => boolean) | null = null
  let failure = { status: 400, code: 'InvalidRequest' }
  let isHanging = false

  async function listUploads(): Promise<string> {
    const names = await readdir(uploads).catch(() => [])
    const items = names.map(async (UploadId) => {
      const key = await readFile(join(uploads, UploadId, 'key'), 'utf8')
      const { birthtime } = await stat(join(uploads, UploadId))
      return `<Upload><Key>${key}</Key><UploadId>${UploadId}</UploadId><Initiated>${birthtime.toISOString()}</Initiated></Upload>`
    })
    return `<ListMultipartUploadsResult>${(await Promise.all(items)).join('')}</ListMultipartUploadsResult>`
  }

  const server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url!, 'http://s3')
    const uploadId = searchParams.get('uploadId')
    if (isHanging) {
      request.resume()
    } else if (shouldFail?.(request)) {
      request.resume()
      response.writeHead(failure.status).end(`<Error><Code>${failure.code}</Code></Error>`)
    } else if (request.method === 'GET' && searchParams.has('uploads')) {
      response.writeHead(200, { 'content-type': 'application/xml' }).end(await listUploads())
    } else if (request.method === 'DELETE' && uploadId) {
      await rm(join(uploads, uploadId), { recursive: true, force: true })
      response.writeHead(204).end()
    } else handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const endpoint = `http://127.0.0.1:${port}`
  const config: S3Config = {
    kind: 's3',
    bucket: BUCKET,
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
  }

  return {
    config,
    spoolFolder,
    env: {
      ATRIUM_OBJECTS: `s3://${BUCKET}?endpoint=${endpoint}`,
      AWS_ACCESS_KEY_ID: 'S3RVER',
      AWS_SECRET_ACCESS_KEY: 'S3RVER',
    },
    openUploads: () => readdir(uploads).catch(() => []),
    refuse(condition: typeof shouldFail, answer = { status: 400, code: 'InvalidRequest' }) {
      shouldFail = condition
      failure = answer
    },
    hang(value: boolean) {
      isHanging = value
      if (!value) server.closeAllConnections()
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
    restart: () => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve)),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await rm(directory, { recursive: true, force: true })
      await rm(spoolFolder, { recursive: true, force: true })
    },
  }
}
