import { LoaderCircle, Paperclip, Shapes, TriangleAlert, X } from 'lucide-react'
import { useState } from 'react'
import { textWithNames } from '../../../../contract/text-with-names.ts'
import { shortMessage } from '../../../api/explain.ts'
import { projectQuery } from '../../../api/projects.ts'
import { queryClient } from '../../../api/query-client.ts'
import { uploadFile } from '../../../api/upload-file.ts'
import { randomId } from '../../../state/random-id.ts'
import { withNames } from '../../name.tsx'
import { toast } from '../../toast.tsx'
import type { Attachment } from '../view/attachments.ts'

const FILES_MAX = 20
const BLOCKS_MAX = 100

interface Draft extends Omit<Attachment, 'id'> {
  key: string
  /** Null during upload. */
  id: string | null
  error: string | null
  stop: AbortController | null
  /** Of an image that was just added. */
  thumbnail?: string
}

export function useAttachments(projectId: string | undefined, initial: readonly Attachment[] = []) {
  const [drafts, setDrafts] = useState<readonly Draft[]>(() => initial.map(draftOf))
  const change = (key: string, next: Partial<Draft>) =>
    setDrafts((all) => all.map((draft) => (draft.key === key ? { ...draft, ...next } : draft)))

  const add = (attachment: Attachment) =>
    setDrafts((all) => {
      const isKnown = all.some(({ kind, id }) => kind === attachment.kind && id === attachment.id)
      return isKnown || isFull(all, attachment.kind) ? all : [...all, draftOf(attachment)]
    })

  async function upload(file: File) {
    const stop = new AbortController()
    const key = randomId()
    const thumbnail = /^image\/(png|jpeg|gif|webp)$/.test(file.type) ? URL.createObjectURL(file) : undefined
    const draft = { key, kind: 'file' as const, id: null, name: file.name, error: null, stop }
    setDrafts((all) => [...all, { ...draft, ...(thumbnail && { thumbnail }) }])
    try {
      const { folderId } = await queryClient.ensureQueryData(projectQuery(projectId!))
      const { id, name } = await uploadFile({
        file,
        parentId: folderId,
        idempotencyKey: key,
        signal: stop.signal,
        onProgress: () => {},
      })
      change(key, { id, name, stop: null })
    } catch (error) {
      if (!stop.signal.aborted) change(key, { error: shortMessage(error), stop: null })
    }
  }

  return {
    drafts,
    add,
    addFiles: (files: readonly File[]) => {
      if (projectId === undefined) return
      const free = FILES_MAX - drafts.filter(({ kind }) => kind === 'file').length
      if (files.length > free) toast(withNames`You can attach up to ${FILES_MAX} files`)
      for (const file of files.slice(0, free)) void upload(file)
    },
    remove: (key: string) =>
      setDrafts((all) => {
        const removed = all.find((draft) => draft.key === key)
        removed?.stop?.abort()
        forgetThumbnails(removed ? [removed] : [])
        return all.filter((draft) => draft.key !== key)
      }),
    clear: () =>
      setDrafts((all) => {
        forgetThumbnails(all)
        return []
      }),
    isUploading: drafts.some(({ id, error }) => id === null && error === null),
    uploadedAttachments: drafts.flatMap(({ kind, id, name }): Attachment[] =>
      id === null ? [] : [{ kind, id, name }],
    ),
  }
}

function forgetThumbnails(drafts: readonly Draft[]) {
  for (const { thumbnail } of drafts) if (thumbnail) URL.revokeObjectURL(thumbnail)
}

const draftOf = (attachment: Attachment): Draft => ({
  ...attachment,
  key: attachment.id,
  error: null,
  stop: null,
})

const isFull = (drafts: readonly Draft[], kind: Attachment['kind']) =>
  drafts.filter((draft) => draft.kind === kind).length >= (kind === 'file' ? FILES_MAX : BLOCKS_MAX)

interface AttachmentListProps {
  drafts: readonly Draft[]
  onRemove: (key: string) => void
}

export function AttachmentList({ drafts, onRemove }: AttachmentListProps) {
  if (drafts.length === 0) return null
  return (
    <ul aria-label="Attachments" className="flex flex-wrap gap-8 px-12 pt-12">
      {drafts.map((draft) => (
        <li
          key={draft.key}
          title={draft.error ?? draft.name}
          className={`flex max-w-filter items-center gap-8 overflow-hidden rounded-control pr-4 text-12 ${draft.thumbnail ? 'h-48' : 'h-32 pl-8'} ${draft.error ? 'bg-bad-wash text-bad-text' : 'bg-neutral-3'}`}
        >
          {draft.thumbnail && <img src={draft.thumbnail} alt="" className="size-48 shrink-0 object-cover" />}
          {(!draft.thumbnail || draft.error || draft.id === null) && <StateIcon draft={draft} />}
          <span className="truncate">{draft.error ? `${draft.name}: ${draft.error}` : draft.name}</span>
          <button
            type="button"
            aria-label={textWithNames`Remove ${draft.name}`}
            onClick={() => onRemove(draft.key)}
            className="flex size-24 shrink-0 items-center justify-center"
          >
            <X aria-hidden className="size-12" />
          </button>
        </li>
      ))}
    </ul>
  )
}

function StateIcon({ draft }: { draft: Draft }) {
  if (draft.error) return <TriangleAlert aria-hidden className="icon" />
  if (draft.id === null) return <LoaderCircle aria-hidden className="icon motion-safe:animate-spin" />
  const Icon = draft.kind === 'file' ? Paperclip : Shapes
  return <Icon aria-hidden className="icon text-neutral-11" />
}
