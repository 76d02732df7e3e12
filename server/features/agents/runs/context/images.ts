import { dictionary } from '../../../../../contract/dictionary.ts'
import type { JobContext } from '../../../../context.ts'
import { stableFence } from '../../../../language-models/fence.ts'
import type { ModelMessage } from '../../../../language-models/stream-call.ts'
import { type ImageRef, readModelImage } from '../../../files/files/files.ts'
import type { MessagePart } from '../../conversations/conversations.ts'
import type { Describer } from '../descriptions/ask-describer.ts'
import type { ImageDescription } from '../descriptions/describe-images.ts'
import { type ImagePart, imageKey, imagesOf, isImagePart } from '../state/image-parts.ts'
import type { ImageInput } from '../state/image-tokens.ts'

export interface ImageTarget extends ImageInput {
  model: string
  /** For a model that accepts none. */
  describer: Describer | null
}

/** In place of images. By `imageKey`. */
export type Describe = (refs: readonly ImageRef[]) => Promise<ReadonlyMap<string, ImageDescription>>

const NOT_DESCRIBED: Describe = async () => new Map()

/** Providers limit a request's images and bytes. */
const IMAGES_MAX = 40
const BYTES_MAX = 12_582_912
/** More at once, so that the prompts in between share their beginning. */
const LEFT_OUT_AT_ONCE = 10

type Shown = { type: 'file'; data: string; mediaType: string } | { type: 'text'; text: string }

/**
 * Replaces image names by their bytes, by descriptions, or by the reason why they aren't shown. A version's image and
 * description never change, so each call sends the same.
 */
export async function showImages(
  ctx: JobContext<'objects'>,
  orgId: string,
  messages: ModelMessage[],
  target: ImageTarget,
  describe: Describe = NOT_DESCRIBED,
): Promise<ModelMessage[]> {
  const parts = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : (content as MessagePart[]),
  )
  const refs = parts.flatMap((part) => (isImagePart(part) ? [part] : imagesOf(part)))
  if (refs.length === 0) return messages
  const shown = await readAll(ctx, orgId, refs, target, describe)
  const show = (ref: ImagePart): Shown => shown.get(ref)!
  return messages.flatMap((message, index) => {
    if (typeof message.content === 'string') return [message]
    if (message.role === 'user') return [withImages(message, show)]
    if (message.role !== 'tool') return [message]
    const isLastResult = messages[index + 1]?.role !== 'tool'
    return showResults(messages, index, show, target, isLastResult)
  })
}

async function readAll(
  ctx: JobContext<'objects'>,
  orgId: string,
  refs: readonly ImagePart[],
  target: ImageTarget,
  describe: Describe,
): Promise<Map<ImagePart, Shown>> {
  const shown = new Map<ImagePart, Shown>()
  const refuse = (ref: ImagePart, reason: string) => shown.set(ref, notShown(reason))
  const tooMany = Math.ceil(Math.max(0, refs.length - IMAGES_MAX) / LEFT_OUT_AT_ONCE) * LEFT_OUT_AT_ONCE
  if (!target.isAccepted) {
    const descriptions = await describe(refs.slice(tooMany))
    for (const [index, ref] of refs.entries()) {
      const description = index < tooMany ? undefined : descriptions.get(imageKey(ref))
      if (description) shown.set(ref, described(description))
      else refuse(ref, withoutDescription(target))
    }
    return shown
  }
  for (const ref of refs.slice(0, tooMany)) refuse(ref, 'newer ones take its place')
  let bytes = 0
  for (const ref of refs.slice(tooMany).toReversed()) {
    const image = await readModelImage(ctx, orgId, ref)
    if ('failed' in image) refuse(ref, REASONS[image.failed] ?? 'it could not be read')
    else if (bytes + image.bytes.length > BYTES_MAX) refuse(ref, 'newer ones take its place')
    else {
      bytes += image.bytes.length
      shown.set(ref, { type: 'file', data: image.bytes.toString('base64'), mediaType: image.mimeType })
    }
  }
  return shown
}

const REASONS = dictionary<string | undefined>({
  gone: 'the file was deleted',
  unavailable: 'the file storage does not respond or is full',
})

const withoutDescription = ({ model, describer }: ImageTarget): string =>
  `the model ${model} does not accept images${describer ? `, and ${describer.id} did not describe it` : ''}`

const notShown = (reason: string): Shown => ({ type: 'text', text: `[image, not shown: ${reason}]` })

const described = ({ text, model }: ImageDescription): Shown => ({
  type: 'text',
  text: `[image, described by the model ${model}]\n${stableFence(text, 'an image, in another model’s words')}`,
})

type Show = (ref: ImagePart) => Shown

function withImages(message: Extract<ModelMessage, { role: 'user' }>, show: Show): ModelMessage {
  const content = message.content as unknown as MessagePart[]
  return {
    ...message,
    content: content.map((part) => (isImagePart(part) ? show(part) : part)) as typeof message.content,
  }
}

/** The others' packages would send the bytes as text. */
const TAKES_IMAGES_IN_RESULTS: readonly ImageTarget['kind'][] = ['anthropic', 'openai', 'google']

/** Providers want all results before anything else, so the images that follow come after the last one. */
function showResults(
  messages: readonly ModelMessage[],
  index: number,
  show: Show,
  { kind }: ImageTarget,
  isLast: boolean,
): ModelMessage[] {
  const message = messages[index] as Extract<ModelMessage, { role: 'tool' }>
  const isInside = TAKES_IMAGES_IN_RESULTS.includes(kind)
  const content = (message.content as unknown as MessagePart[]).map((part) =>
    resultWith(part, show, isInside),
  )
  const result = { ...message, content: content as unknown as typeof message.content }
  if (isInside || !isLast) return [result]
  const start = messages.findLastIndex(({ role }, at) => at < index && role !== 'tool') + 1
  const results = messages.slice(start, index + 1).flatMap((each) => each.content as unknown as MessagePart[])
  const following = results.flatMap((part) => followingOf(part, show))
  return following.length === 0 ? [result] : [result, { role: 'user', content: following } as ModelMessage]
}

function resultWith(part: MessagePart, show: Show, isInside: boolean): MessagePart {
  const images = imagesOf(part).map(show)
  if (images.length === 0) return part
  const { images: _refs, ...result } = part
  const hasBytes = images.some(({ type }) => type === 'file')
  if (!isInside && hasBytes) return result
  const output = part.output as { value: unknown }
  const text = typeof output.value === 'string' ? output.value : JSON.stringify(output.value)
  const value = [{ type: 'text', text }, ...images.map(toContent)]
  if (hasBytes) return { ...result, output: { type: 'content', value } }
  return {
    ...result,
    output: { type: 'text', value: value.map((each) => ('text' in each ? each.text : '')).join('\n') },
  }
}

const toContent = (image: Shown) =>
  image.type === 'text'
    ? image
    : { type: 'image-data' as const, data: image.data, mediaType: image.mediaType }

function followingOf(part: MessagePart, show: Show): Shown[] {
  const images = imagesOf(part).map(show)
  if (!images.some(({ type }) => type === 'file')) return []
  return [{ type: 'text', text: `[Images that ${String(part.toolName)} returned]` }, ...images]
}
