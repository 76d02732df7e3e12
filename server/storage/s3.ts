import { Readable } from 'node:stream'
import {
  type $Command,
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  S3Client,
  type S3ClientResolvedConfig,
  S3ServiceException,
  type ServiceInputTypes,
  type ServiceOutputTypes,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { createSemaphore } from '../concurrency/semaphore.ts'
import type { S3Config } from '../config/object-store.ts'
import { StartupError } from '../errors.ts'
import { isObjectKey, type ObjectStore, partsOfKey } from './object-store.ts'
import { removeOldSpools, type SpooledBytes, withSpooled } from './spool.ts'
import { ObjectStoreUnavailable } from './unavailable.ts'

/** S3's minimum for all parts but the last. 10,000 parts are 50 GB, far above any file here. */
const PART_BYTES = 5 * 1024 * 1024
/** Parts stay in memory while sent: 20 MB for all uploads together. */
const CONCURRENT_PARTS_MAX = 4
/** The longest a stalled part may take. */
const PART_WAIT_MS = 60_000
const CONNECT_TIMEOUT_MS = 5_000
/** A stalled download fails after this. */
const IDLE_TIMEOUT_MS = 20_000
const SOCKETS_MAX = 256
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000
const UPLOADS_LISTED_MAX = 1000
/** A full bucket must accept this much to count as working again. */
const PROBE_BYTES = 64 * 1024

/** Includes retries. For a download, until its first byte. */
export interface Deadlines {
  shortMs: number
  sendMs: number
  copyMs: number
  /** After a timeout, calls fail at once for this long, unless a check succeeds. */
  pauseMs: number
}

const DEADLINES: Deadlines = { shortMs: 10_000, sendMs: 30_000, copyMs: 120_000, pauseMs: 10_000 }
/** No organization has this id. */
const PROBE_KEY = `00000000-0000-0000-0000-000000000000/${'0'.repeat(32)}`

/** Amazon S3 or compatible. `spoolFolder` holds uploads in progress. */
export function s3Store(config: S3Config, spoolFolder: string, deadlines = DEADLINES): ObjectStore {
  const client = new S3Client({
    region: config.region,
    endpoint: config.endpoint ?? undefined,
    forcePathStyle: config.forcePathStyle,
    credentials: config.credentials ?? undefined,
    // By default a signed URL contains an empty body's checksum, which non-Amazon servers refuse.
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
  const send = createSender(client, deadlines)
  let isFull = false
  const noteFull = async <T>(write: Promise<T>): Promise<T> => {
    try {
      const result = await write
      isFull = false
      return result
    } catch (error) {
      if (error instanceof ObjectStoreUnavailable) isFull ||= error.isFull
      throw error
    }
  }
  const locationOf = (key: string) => {
    partsOfKey(key)
    return { Bucket: config.bucket, Key: key }
  }

  async function put(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const target = locationOf(key)
    await withSpooled(spoolFolder, content, (object) =>
      noteFull(
        object.size > PART_BYTES
          ? sendInParts(key, object)
          : uploads.run(partsOfKey(key).org, async () => {
              const Body = await object.read(0, object.size)
              await send(new PutObjectCommand({ ...target, Body }), deadlines.sendMs)
            }),
      ),
    )
  }

  async function sendInParts(key: string, { size, read }: SpooledBytes): Promise<void> {
    const upload = await beginUpload(send, locationOf(key), deadlines)
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
    orNull(async () => (await send(new HeadObjectCommand(locationOf(key)))).ContentLength ?? null)

  async function writeProbe(Body: Uint8Array): Promise<void> {
    await send.now(new PutObjectCommand({ ...locationOf(PROBE_KEY), Body }))
    await send.now(new DeleteObjectCommand(locationOf(PROBE_KEY)))
  }

  return {
    uploadsPassThrough: false,
    description: describe(config),
    async check() {
      try {
        await writeProbe(new Uint8Array())
        await removeOldSpools(spoolFolder, new Date())
        // Without list permission, S3 responds 403 instead of 404 for a missing object.
        await size(PROBE_KEY)
      } catch (error) {
        const cause = error instanceof ObjectStoreUnavailable ? error.cause : error
        throw new StartupError(
          `ATRIUM_OBJECTS cannot be used, ${describe(config)} ${reasonOf(cause)}: check that the bucket exists, that the endpoint is right, and that the AWS_… credentials may list, read, write and delete.`,
        )
      }
    },
    /** Writes only while the bucket is full: each write may cost money. */
    async ping() {
      if (isFull) await noteFull(writeProbe(new Uint8Array(PROBE_BYTES)))
      else await orNull(() => send.now(new HeadObjectCommand(locationOf(PROBE_KEY))))
    },
    async removePartialWrites(now) {
      await removeOldSpools(spoolFolder, now)
      const { Uploads = [] } = await send(
        new ListMultipartUploadsCommand({ Bucket: config.bucket, MaxUploads: UPLOADS_LISTED_MAX }),
      )
      const before = now.getTime() - ABANDONED_AFTER_MS
      for (const { Key, UploadId, Initiated } of Uploads)
        if (Key && isObjectKey(Key) && Initiated && Initiated.getTime() < before)
          await orNull(() => send(new AbortMultipartUploadCommand({ Bucket: config.bucket, Key, UploadId })))
    },
    put,
    get: (key, range) =>
      orNull(async () => {
        const Range = range && `bytes=${range.start}-${range.end}`
        const { Body } = await send(new GetObjectCommand({ ...locationOf(key), Range })).catch(asEmpty)
        return Body as Readable
      }),
    size,
    async copy(from, to) {
      const { Bucket, Key } = locationOf(from)
      const copy = new CopyObjectCommand({ ...locationOf(to), CopySource: `${Bucket}/${Key}` })
      await noteFull(send(copy, deadlines.copyMs))
    },
    async remove(key) {
      await send(new DeleteObjectCommand(locationOf(key)))
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

type Sender = ReturnType<typeof createSender>

/** Otherwise a hanging bucket would keep every caller waiting for the full deadline. */
function createSender(client: S3Client, { shortMs, pauseMs }: Deadlines) {
  let pausedUntil = 0

  const sendNow = async <I extends ServiceInputTypes, O extends ServiceOutputTypes>(
    command: $Command<I, O, S3ClientResolvedConfig, ServiceInputTypes, ServiceOutputTypes>,
    limitMs = shortMs,
  ): Promise<O> => {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), limitMs)
    try {
      return await client.send(command, { abortSignal: deadline.signal })
    } catch (error) {
      if (!deadline.signal.aborted) throw error
      throw tooLate(`The bucket did not respond within ${limitMs} ms`)
    } finally {
      clearTimeout(timer)
      // An error such as 404 is also a response.
      pausedUntil = deadline.signal.aborted ? performance.now() + pauseMs : 0
    }
  }

  const send: typeof sendNow = async (command, limitMs) => {
    if (performance.now() < pausedUntil)
      throw tooLate('The bucket did not respond in time to an earlier call')
    return sendNow(command, limitMs)
  }
  /** For checks, which end the pause. */
  return Object.assign(send, { now: sendNow })
}

const tooLate = (message: string) =>
  new ObjectStoreUnavailable(Object.assign(new Error(message), { name: 'TimeoutError' }))

async function beginUpload(
  send: Sender,
  target: { Bucket: string; Key: string },
  { sendMs, copyMs }: Deadlines,
) {
  const { UploadId } = await send(new CreateMultipartUploadCommand(target))
  const upload = { ...target, UploadId }
  const parts: CompletedPart[] = []
  return {
    async send(Body: Uint8Array) {
      const PartNumber = parts.length + 1
      const { ETag } = await send(new UploadPartCommand({ ...upload, PartNumber, Body }), sendMs)
      parts.push({ PartNumber, ETag })
    },
    async complete() {
      const completion = { ...upload, MultipartUpload: { Parts: parts } }
      await send(new CompleteMultipartUploadCommand(completion), copyMs)
    },
    /** The original error matters more, and `removePartialWrites` repeats a failed abort. */
    async abort() {
      await send(new AbortMultipartUploadCommand(upload)).catch(() => {})
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

/** A missing object and an out-of-range read are valid results. */
function raiseUnavailable(error: unknown): never {
  if ([404, 416].includes(statusOf(error) ?? 0)) throw error
  throw new ObjectStoreUnavailable(error, { isFull: isFullError(error) })
}

/** S3 is never full. Compatible servers report it differently. */
const FULL_CODES =
  /^(XMinioStorageFull|XMinioAdminBucketQuotaExceeded|QuotaExceeded|InsufficientStorage|NotEnoughSpace)$/

const isFullError = (error: unknown): boolean =>
  statusOf(error) === 507 || (error instanceof S3ServiceException && FULL_CODES.test(error.name))

/** S3 refuses ranges starting after the last byte, and any range on an empty object. */
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
