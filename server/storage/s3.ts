import type { Readable } from 'node:stream'
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
import { type Spooled, withSpooled } from './spool.ts'

/** The least that S3 accepts of a part that is not the last; 10,000 of them are 50 GB, far above any file here. */
const PART_BYTES = 5 * 1024 * 1024
/** A part is held in memory while it is sent: 20 MB for all uploads together. */
const PARTS_AT_ONCE = 4
const CONNECT_MS = 5_000
const SILENCE_MS = 60_000
const SOCKETS_MAX = 256
/** Written and removed at the start. No organization has this id. */
const PROBE = `00000000-0000-0000-0000-000000000000/${'0'.repeat(32)}`

/** Objects in a bucket of Amazon, or of anything that speaks its protocol. `spoolFolder` holds what is on its way. */
export function s3Store(place: S3Config, spoolFolder: string): ObjectStore {
  const client = new S3Client({
    region: place.region,
    endpoint: place.endpoint ?? undefined,
    forcePathStyle: place.forcePathStyle,
    credentials: place.credentials ?? undefined,
    // By default a signed address would carry the checksum of an empty body, and other servers than Amazon’s stumble.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: { keepAlive: true, maxSockets: SOCKETS_MAX },
      httpsAgent: { keepAlive: true, maxSockets: SOCKETS_MAX },
    },
  })
  const withPermit = createSemaphore(PARTS_AT_ONCE)
  const at = (key: string) => {
    partsOfKey(key)
    return { Bucket: place.bucket, Key: key }
  }

  async function put(key: string, content: AsyncIterable<Uint8Array>): Promise<void> {
    const target = at(key)
    await withSpooled(spoolFolder, content, (object) =>
      object.size > PART_BYTES
        ? sendInParts(target, object)
        : withPermit(async () => {
            await client.send(new PutObjectCommand({ ...target, Body: await object.read(0, object.size) }))
          }),
    )
  }

  async function sendInParts(target: ReturnType<typeof at>, { size, read }: Spooled): Promise<void> {
    const upload = await beginUpload(client, target)
    try {
      for (let start = 0; start < size; start += PART_BYTES) {
        const length = Math.min(PART_BYTES, size - start)
        await withPermit(async () => upload.send(await read(start, length)))
      }
      await upload.complete()
    } catch (error) {
      await upload.abort()
      throw error
    }
  }

  const size = (key: string) =>
    orNull(async () => (await client.send(new HeadObjectCommand(at(key)))).ContentLength ?? null)

  return {
    passesThrough: false,
    description: describe(place),
    async check() {
      try {
        await client.send(new PutObjectCommand({ ...at(PROBE), Body: new Uint8Array() }))
        await client.send(new DeleteObjectCommand(at(PROBE)))
        // Who may not list is told of a missing object that it is forbidden.
        await size(PROBE)
      } catch (error) {
        throw new StartupError(
          `ATRIUM_OBJECTS cannot be used, ${describe(place)} ${answerOf(error)}: see that the bucket exists, that the address is right, and that the AWS_… credentials may list, read, write and delete there.`,
        )
      }
    },
    put,
    get: (key, range) =>
      orNull(async () => {
        const Range = range && `bytes=${range.start}-${range.end}`
        const { Body } = await client.send(new GetObjectCommand({ ...at(key), Range }))
        return Body as Readable
      }),
    size,
    async copy(from, to) {
      const { Bucket, Key } = at(from)
      await client.send(new CopyObjectCommand({ ...at(to), CopySource: `${Bucket}/${Key}` }))
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(at(key)))
    },
    readUrl: (key, { mimeType, disposition, expiresAt }) => {
      const how = { ResponseContentType: mimeType, ResponseContentDisposition: disposition }
      return getSignedUrl(client, new GetObjectCommand({ ...at(key), ...how }), lasting(expiresAt))
    },
    writeUrl: (key, { size, expiresAt }) =>
      getSignedUrl(client, new PutObjectCommand({ ...at(key), ContentLength: size }), lasting(expiresAt)),
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
    /** What made us give up matters more than whether that was heard. */
    async abort() {
      await client.send(new AbortMultipartUploadCommand(upload)).catch(() => {})
    },
  }
}

async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return null
    throw error
  }
}

const lasting = (until: Date) => ({
  expiresIn: Math.max(1, Math.ceil((until.getTime() - Date.now()) / 1000)),
})

const describe = ({ bucket, endpoint, region }: S3Config) =>
  `bucket ${bucket} at ${endpoint ? new URL(endpoint).host : `Amazon S3, ${region}`}`

function answerOf(error: unknown): string {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
  const { code, name } = error as NodeJS.ErrnoException
  return status ? `answers ${status}` : `cannot be reached (${code ?? name})`
}
