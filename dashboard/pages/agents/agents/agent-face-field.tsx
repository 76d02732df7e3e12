import { useMutation } from '@tanstack/react-query'
import { ImageUp } from 'lucide-react'
import { useRef } from 'react'
import { t } from '../../../../contract/text.ts'
import { type Agent, cacheAgent } from '../../../api/agents.ts'
import { api } from '../../../api/client.ts'
import { Button } from '../../../components/button.tsx'
import { AgentFace } from '../../../components/faces.tsx'
import { FileInput } from '../../../components/forms/file-input.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { EmojiField } from '../../projects/projects/new/emoji-field.tsx'
import type { FieldsProps } from './editor/draft.ts'

interface AgentFaceFieldProps extends Pick<FieldsProps, 'draft' | 'update'> {
  /** Undefined for an agent that isn't saved yet, which can only have an emoji. */
  agent: Agent | undefined
}

export function AgentFaceField({ agent, draft, update }: AgentFaceFieldProps) {
  const imageUrl = agent?.imageUrl ?? null
  const face = { id: agent?.id ?? 'new', name: draft.name, emoji: draft.emoji, imageUrl }
  return (
    <EmojiField
      value={draft.emoji}
      onChange={(emoji) => update({ emoji })}
      face={<AgentFace agent={face} size={52} />}
      hasNoEmoji={imageUrl !== null}
    >
      {agent && <ImageButtons agent={agent} />}
    </EmojiField>
  )
}

/** Images aren't versioned: they are saved at once. */
function ImageButtons({ agent: { id, imageUrl } }: { agent: Agent }) {
  const input = useRef<HTMLInputElement>(null)
  const upload = useMutation({
    mutationFn: async (file: File) => {
      const image = await toFaceImage(file)
      if (image) await cacheAgent(await api.agents.setImage({ id, image }))
      else toast(t`Your browser can’t read this image. Choose a PNG, JPEG or WebP image.`)
    },
    onError: toastFailure,
  })
  const remove = useMutation({
    mutationFn: () => api.agents.removeImage({ id }),
    onSuccess: cacheAgent,
    onError: toastFailure,
  })
  return (
    <div className={`flex flex-wrap gap-4 ${imageUrl ? '' : 'mt-8 border-neutral-6 border-t pt-8'}`}>
      <Button busy={upload.isPending} onClick={() => input.current?.click()}>
        <ImageUp aria-hidden className="icon" />
        {imageUrl ? t`Replace image…` : t`Upload image…`}
      </Button>
      {imageUrl && (
        <Button look="quiet" busy={remove.isPending} onClick={() => remove.mutate()}>
          Remove image
        </Button>
      )}
      <FileInput ref={input} accept="image/*" label="Image" onFiles={([file]) => upload.mutate(file!)} />
    </div>
  )
}

/** Sharp at the largest face, on screens with four pixels for one. */
const SIDE_PX = 256

/** The middle square, as base64. Redrawn, so location and other metadata stay behind. Null if it's no image. */
async function toFaceImage(file: File): Promise<string | null> {
  const image = await createImageBitmap(file).catch(() => null)
  if (!image) return null
  const side = Math.min(image.width, image.height)
  const canvas = new OffscreenCanvas(SIDE_PX, SIDE_PX)
  const drawing = canvas.getContext('2d')!
  drawing.imageSmoothingQuality = 'high'
  const [left, top] = [(image.width - side) / 2, (image.height - side) / 2]
  drawing.drawImage(image, left, top, side, side, 0, 0, SIDE_PX, SIDE_PX)
  image.close()
  // Safari writes PNG instead.
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.9 })
  return toBase64(new Uint8Array(await blob.arrayBuffer()))
}

function toBase64(bytes: Uint8Array): string {
  let characters = ''
  for (const byte of bytes) characters += String.fromCharCode(byte)
  return btoa(characters)
}
