import { useMutation } from '@tanstack/react-query'
import { ImageUp } from 'lucide-react'
import { useRef } from 'react'
import { t } from '../../../../contract/text.ts'
import { type Agent, cacheAgent } from '../../../api/agents.ts'
import { api } from '../../../api/client.ts'
import { Button } from '../../../components/button.tsx'
import { AgentFace } from '../../../components/faces.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'
import { EmojiField } from '../../projects/projects/new/emoji-field.tsx'
import type { FieldsProps } from './editor/draft.ts'
import { toFaceImage } from './face-image.ts'

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

/** Images belong to no version: they are saved at once. */
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
      <input
        ref={input}
        type="file"
        accept="image/*"
        aria-label="Image"
        className="hidden"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) upload.mutate(file)
          event.target.value = ''
        }}
      />
    </div>
  )
}
