import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { createSemaphore } from '../concurrency/semaphore.ts'
import type { S3Config } from '../config/object-store.ts'
import { StartupError } from '../startup/startup-error.ts'
import { partsOfKey } from './keys.ts'
import type { ObjectStore } from './object-store.ts'
import { type SpooledBytes, withSpooled } from './spool.ts'
import { ObjectStoreUnavailable } from './unavailable.ts'

/** The minimum that S3 accepts for a part other than the last; 10,000 parts are 50 GB, far above any file here. */
const PART_BYTES = 5 * 1024 * 1024
/** A part is in memory while it is sent: 20 MB for all uploads together. */
const CONCURRENT_PARTS_MAX = 4
/** As long as one part may take that makes no progress. */
const PART_WAIT_MS = 60_000
const CONNECT_TIMEOUT_MS = 5_000
const IDLE_TIMEOUT_MS = 60_000
const SOCKETS_MAX = 256
/** Written and removed at boot. No organization has this id. */
const PROBE_KEY = `00000000-0000-0000-0000-000000000000/${'0'.repeat(32)}`

/** Objects in a bucket of Amazon S3 or a compatible server. `spoolFolder` contains the uploads in progress. */
export function s3Store(config: S3Config, spoolFolder: string): ObjectStore {
  const client = new S3Client({
    region: config.region,
    endpoint: config.endpoint ?? undefined,
    forcePathStyle: config.forcePathStyle,
    credentials: config.credentials ?? undefined,
    // By default a signed URL contains the checksum of an empty body, which servers other than Amazon’s refuse.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: IDLE_TIMEOUT_MS,
      httpAgent: { keepAlive: true, maxSockets: SOCKETS_MAX },
      httpsAgent: { keepAlive: true, maxSockets: SOCKETS_MAX },
    },
  })
  client.middlewareStack.add((next) => (args) => next(args).catch(raiseUnavailable), { step: 'initialize' })
  const uploads = createSemaphore({
    name: 'uploads',
    permits: CONCURRENT_PARTS_MAX,
    permitsPerKey: CONCURRENT_PARTS_MAX - 1,
    waitMs: PART_WAIT_MS,
  })
  const locationOf = (key: string) => {
    partsOfKey(key)
    return { Bucket: config.bucket, Key: key }
  }

  async function put(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const target = locationOf(key)
    await withSpooled(spoolFolder, content, (object) =>
      object.size > PART_BYTES
        ? sendInParts(key, object)
        : uploads.run(partsOfKey(key).org, async () => {
            await client.send(new PutObjectCommand({ ...target, Body: await object.read(0, object.size) }))
          }),
    )
  }

  async function sendInParts(key: string, { size, read }: SpooledBytes): Promise<void> {
    const upload = await beginUpload(client, locationOf(key))
    try {
      for (let start = 0; start < size; start += PART_BYTES) {
        const length = Math.min(PART_BYTES, size - start)
        await uploads.run(partsOfKey(key).org, async () => upload.send(await read(start, length)))
      }
      await upload.complete()
    } catch (error) {
      await upload.abort()
      throw error
    }
  }

  const size = (key: string) =>
    orNull(async () => (await client.send(new HeadObjectCommand(locationOf(key)))).ContentLength ?? null)

  return {
    uploadsPassThrough: false,
    description: describe(config),
    async check() {
      try {
        await client.send(new PutObjectCommand({ ...locationOf(PROBE_KEY), Body: new Uint8Array() }))
        await client.send(new DeleteObjectCommand(locationOf(PROBE_KEY)))
        // Without permission to list, S3 responds to a missing object with 403 instead of 404.
        await size(PROBE_KEY)
      } catch (error) {
        const cause = error instanceof ObjectStoreUnavailable ? error.cause : error
        throw new StartupError(
          `ATRIUM_OBJECTS cannot be used, ${describe(config)} ${reasonOf(cause)}: check that the bucket exists, that the endpoint is right, and that the AWS_… credentials may list, read, write and delete.`,
        )
      }
    },
    async ping() {
      await size(PROBE_KEY)
    },
    put,
    get: (key, range) =>
      orNull(async () => {
        const Range = range && `bytes=${range.start}-${range.end}`
        const { Body } = await client.send(new GetObjectCommand({ ...locationOf(key), Range })).catch(asEmpty)
        return Body as Readable
      }),
    size,
    async copy(from, to) {
      const { Bucket, Key } = locationOf(from)
      await client.send(new CopyObjectCommand({ ...locationOf(to), CopySource: `${Bucket}/${Key}` }))
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(locationOf(key)))
    },
    readUrl: (key, { mimeType, disposition, expiresAt }) => {
      const headers = { ResponseContentType: mimeType, ResponseContentDisposition: disposition }
      return getSignedUrl(
        client,
        new GetObjectCommand({ ...locationOf(key), ...headers }),
        expiresIn(expiresAt),
      )
    },
    writeUrl: (key, { size, expiresAt }) =>
      getSignedUrl(
        client,
        new PutObjectCommand({ ...locationOf(key), ContentLength: size }),
        expiresIn(expiresAt),
      ),
  }
}

async function beginUpload(client: S3Client, target: { Bucket: string; Key: string }) {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target))
  const upload = { ...target, UploadId }
  const parts: CompletedPart[] = []
  return {
    async send(Body: Uint8Array) {
      const PartNumber = parts.length + 1
      const { ETag } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }))
      parts.push({ PartNumber, ETag })
    },
    async complete() {
      await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }))
    },
    /** A failed abort is ignored: the error that caused it matters more. */
    async abort() {
      await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {})
    },
  }
}

async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (statusOf(error) === 404) return null
    throw error
  }
}

/**
 * A missing object and a range outside of an object are valid results; every other error is a failure of the bucket.
 */
function raiseUnavailable(error: unknown): never {
  throw [404, 416].includes(statusOf(error) ?? 0) ? error : new ObjectStoreUnavailable(error)
}

/** S3 refuses a range that starts after the last byte, and every range of an empty object. */
function asEmpty(error: unknown): { Body: Readable } {
  if (statusOf(error) === 416) return { Body: Readable.from([]) }
  throw error
}

const statusOf = (error: unknown) =>
  error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined

const expiresIn = (until: Date) => ({
  expiresIn: Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1000)),
})

const describe = ({ bucket, endpoint, region }: S3Config) =>
  `bucket ${bucket} at ${endpoint ? new URL(endpoint).host : `Amazon S3, ${region}`}`

function reasonOf(error: unknown): string {
  const status = statusOf(error)
  const { code, name } = error as NodeJS.ErrnoException
  return status ? `responds with ${status}` : `cannot be reached (${code ?? name})`
}
