import { createContext, type JobContext } from '../../../../context.ts'
import { ApiError } from '../../../../errors.ts'
import { addProjectFile, extensionFor } from '../../../files/files/files.ts'
import { openConnection } from '../../connections/connections.ts'
import {
  type ConnectionTarget,
  downloadContent,
  type EventImage,
  type Failure,
  sendRequest,
  textAt,
} from '../../connectors/connectors.ts'
import { connectionDeps, type EndpointOptions } from '../dependencies.ts'
import type { EndpointReceiver } from '../receive/receivers.ts'
import { readRights } from './endpoint-rights.ts'
import { type PendingEvent, updateRecord } from './event-queries.ts'

const FOLDER = 'Messages'
const BYTES_MAX = 20_000_000
/** For an event's images together, within the claim. */
const TIME_MS = 45_000
/** Then the message arrives without the image. */
const ATTEMPTS_MAX = 3

type StoreContext = JobContext<'objects' | 'outbound' | 'quotas' | 'vault'>

/**
 * Uses the endpoint owner's permissions. The message names images that can't be stored. Throws if the provider is
 * unreachable, so the message waits.
 */
export async function storeImages(
  options: EndpointOptions,
  ctx: StoreContext,
  endpoint: EndpointReceiver & { connectionId: string },
  event: PendingEvent,
): Promise<PendingEvent> {
  let current = event
  const signal = AbortSignal.timeout(TIME_MS)
  for (;;) {
    const images = current.record.images ?? []
    const next = images.findIndex(({ fileId, refused }) => fileId === undefined && refused === undefined)
    if (next === -1 || current.record.change !== 'created') return current
    const rights = await readRights(ctx.sql, event.orgId, endpoint.id)
    if (rights.kind !== 'ready') return current
    current = await storeNext(options, ctx, { endpoint, rights, signal }, current, next)
  }
}

interface Work {
  endpoint: EndpointReceiver & { connectionId: string }
  rights: Extract<Awaited<ReturnType<typeof readRights>>, { kind: 'ready' }>
  signal: AbortSignal
}

async function storeNext(
  options: EndpointOptions,
  ctx: StoreContext,
  { endpoint, rights, signal }: Work,
  event: PendingEvent,
  index: number,
): Promise<PendingEvent> {
  const images = event.record.images!
  const image = images[index]!
  const withOutcome = (outcome: Pick<EventImage, 'fileId' | 'refused'>): PendingEvent => ({
    ...event,
    record: { ...event.record, images: images.with(index, { ...image, ...outcome }) },
  })
  const acting = createContext({ ...ctx, caller: rights.caller })
  const file = { projectId: rights.endpoint.projectId, folder: FOLDER }
  const typed = (mimeType: string) => ({
    name: nameOf(endpoint.definition.name, ctx.now(), index, mimeType),
    mimeType,
  })
  try {
    const target = await openConnection(connectionDeps(options, ctx), event.orgId, endpoint.connectionId)
    return await download(ctx, target, endpoint, image, signal, (content, mimeType) =>
      addProjectFile(acting, { ...file, ...typed(mimeType), content }, async ({ sql }, fileId) => {
        const stored = withOutcome({ fileId })
        await updateRecord(sql, event.orgId, event, stored)
        return stored
      }),
    )
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'PROVIDER_ERROR' && event.attempts + 1 < ATTEMPTS_MAX) throw error
    const refused = withOutcome({ refused: error.message })
    await updateRecord(ctx.sql, event.orgId, event, refused)
    return refused
  }
}

async function download<T>(
  { outbound }: Pick<StoreContext, 'outbound'>,
  target: ConnectionTarget,
  { receiver }: EndpointReceiver,
  { ref, mimeType }: EventImage,
  signal: AbortSignal,
  store: (content: AsyncIterable<Uint8Array>, mimeType: string) => Promise<T>,
): Promise<T> {
  const { locate, download: requestFor, contentAt, isTypeInAnswer } = receiver.images!
  let address: string | null = ref
  if (locate) {
    const exchange = await sendRequest(outbound, target, locate.request(ref), { signal })
    if (!exchange.ok) throw failed(exchange.failure)
    address = locate.addressIn(exchange.answer.body)
  }
  const found = address === null ? null : requestFor(address)
  if (!found) throw new ApiError('BAD_REQUEST', 'The provider named no address for the image')
  const bytesMax = contentAt === undefined ? BYTES_MAX : BYTES_MAX * 1.5
  const limits = { input: found.input, timeoutMs: TIME_MS, bytesMax, signal }
  const sender = found.isPublic ? withoutCredentials(target) : target
  const result = await downloadContent(outbound, sender, found.request, limits, (content, headers) => {
    const limited = limitSize(contentAt === undefined ? content : decode(content, contentAt, bytesMax))
    const answered = isTypeInAnswer ? (headers['content-type'] ?? '').split(';', 1)[0]!.trim() : ''
    return store(limited, answered || mimeType)
  })
  if (result.ok) return result.value
  throw failed(result.failure)
}

const failed = ({ means, message }: Failure): ApiError =>
  new ApiError(means === 'unreachable' || means === 'slow_down' ? 'PROVIDER_ERROR' : 'BAD_REQUEST', message)

const withoutCredentials = (target: ConnectionTarget): ConnectionTarget => ({
  ...target,
  definition: { ...target.definition, auth: { type: 'none' }, headers: {} },
})

/** From JSON. */
async function* decode(
  content: AsyncIterable<Uint8Array>,
  path: string,
  bytesMax: number,
): AsyncIterable<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of limitSize(content, bytesMax)) chunks.push(chunk)
  yield Buffer.from(textAt(parse(Buffer.concat(chunks).toString('utf8')), path) ?? '', 'base64url')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError('BAD_REQUEST', 'The provider’s answer is not JSON')
  }
}

async function* limitSize(
  content: AsyncIterable<Uint8Array>,
  bytesMax = BYTES_MAX,
): AsyncIterable<Uint8Array> {
  let bytes = 0
  for await (const chunk of content) {
    bytes += chunk.length
    if (bytes > bytesMax) throw new ApiError('BAD_REQUEST', `The image is larger than ${BYTES_MAX} bytes`)
    yield chunk
  }
}

/** The sender's name for it would be a text from outside. */
function nameOf(connector: string, now: Date, index: number, mimeType: string): string {
  const time = now.toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '-')
  return `${time} ${connector.replace(/[^\p{L}\p{N} -]/gu, '')} ${index + 1}${extensionFor(mimeType)}`
}
