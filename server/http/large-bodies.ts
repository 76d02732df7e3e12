import type { FileHandle } from 'node:fs/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type ByteBudget, createByteBudget, type HeldBytes } from '../concurrency/byte-budget.ts'
import { UnparsedBody } from '../endpoint/route.ts'
import { ApiError } from '../errors.ts'
import { openUnlinked, raiseDiskFailure } from '../storage/spool.ts'
import { drain, jsonParser, streamBody } from './bodies.ts'

export interface BodyLimits {
  bytesPerOrganizationMax: number
  bytesMax: number
}

export interface BodySpool {
  folder: string
  budget: ByteBudget
}

/** Larger bodies delay other requests noticeably. Starting a thread takes about as long. */
const LARGE_BODY_BYTES = 262_144
/** Two maximum-size bodies per organization, both parsed in parallel. */
const BODY_LIMITS: BodyLimits = { bytesPerOrganizationMax: 134_217_728, bytesMax: 1_073_741_824 }

export const createBodySpool = (folder: string, limits = BODY_LIMITS): BodySpool => ({
  folder,
  budget: createByteBudget({
    name: 'large bodies',
    bytesPerKeyMax: limits.bytesPerOrganizationMax,
    bytesMax: limits.bytesMax,
  }),
})

/** Spools JSON over 256 KB to a file, so waiting calls and slow clients use disk instead of memory. */
export function acceptLargeBodies(http: FastifyInstance, spool: BodySpool): void {
  const parse = jsonParser(http)
  http.removeContentTypeParser('application/json')
  http.addContentTypeParser('application/json', async (request: FastifyRequest) => {
    const body = await receive(request, spool).catch((error: unknown) => {
      drain(request.raw)
      throw error
    })
    return typeof body === 'string' ? parse(request, body) : body
  })
}

async function receive(request: FastifyRequest, { folder, budget }: BodySpool) {
  const bytesMax = request.routeOptions.bodyLimit
  const { caller, signal } = request.call!
  const declaredBytes = Number(request.headers['content-length'] ?? 0)
  if (declaredBytes > bytesMax) throw tooLarge()
  if (declaredBytes > LARGE_BODY_BYTES) budget.check(caller!.orgId, declaredBytes)
  const start: Uint8Array[] = []
  let bytes = 0
  let spooled: SpooledBody | undefined
  try {
    for await (const chunk of streamBody(request.raw)) {
      bytes += chunk.length
      if (bytes > bytesMax) throw tooLarge()
      if (bytes <= LARGE_BODY_BYTES) start.push(chunk)
      else {
        spooled ??= await createSpooledBody(folder, budget.hold(caller!.orgId), start.splice(0))
        await spooled.append(chunk)
      }
    }
    return spooled ? spooled.complete(bytes, signal!) : Buffer.concat(start).toString()
  } catch (error) {
    await spooled?.discard()
    throw error
  }
}

type SpooledBody = Awaited<ReturnType<typeof createSpooledBody>>

async function createSpooledBody(folder: string, held: HeldBytes, start: Uint8Array[]) {
  const file = await openUnlinked(folder)
  const discard = async () => {
    held.release()
    await file.close()
  }
  const append = async (chunk: Uint8Array) => {
    held.add(chunk.length)
    await writeAll(file, chunk).catch(raiseDiskFailure)
  }
  try {
    for (const chunk of start) await append(chunk)
  } catch (error) {
    await discard()
    throw error
  }
  return {
    append,
    discard,
    complete(bytes: number, signal: AbortSignal): UnparsedBody {
      signal.throwIfAborted()
      const discardUnread = () => void discard()
      signal.addEventListener('abort', discardUnread, { once: true })
      return new UnparsedBody(async (reader) => {
        signal.throwIfAborted()
        signal.removeEventListener('abort', discardUnread)
        try {
          return await reader({ fd: file.fd, bytes })
        } finally {
          await discard()
        }
      })
    },
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten
}

const tooLarge = () => new ApiError('PAYLOAD_TOO_LARGE', 'The body exceeds this endpoint’s size limit')
