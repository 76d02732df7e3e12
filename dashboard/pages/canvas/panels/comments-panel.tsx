import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { t } from '../../../../contract/text.ts'
import { commentApi, guestCommentApi } from '../../../api/comments.ts'
import { Comments } from '../../../components/comments/comments.tsx'
import { Panel } from '../../../components/layout/panel.tsx'
import { localStore } from '../../../state/store.ts'
import { useBlock, useCanvas } from '../canvas-context.ts'
import { focusBlock } from '../flow/focus.ts'
import { blockName } from '../model/block-labels.ts'
import type { OpenComments } from '../ui-state.ts'

/** Also shown beside the guest's pointer. */
const GUEST_NAME_KEY = 'atrium.guest.name'

export default function CommentsPanel({ commenting }: { commenting: OpenComments }) {
  const canvas = useCanvas()
  const { blockId, threadId } = commenting
  const block = useBlock(blockId)
  const api = useMemo(() => (canvas.isGuest ? guestCommentApi(canvas.headers) : commentApi), [canvas])
  const subject = useMemo(
    () => ({ target: `block:${blockId}`, projectId: canvas.project.id }),
    [blockId, canvas],
  )
  const [guestName, setGuestName] = useState(() => localStore.read(GUEST_NAME_KEY) ?? '')
  const close = () => {
    canvas.ui.commenting.set(null)
    focusBlock(blockId)
  }
  // The canvas is narrower now, or partly covered.
  const reveal = () => {
    if (block) canvas.view.reveal(block)
  }
  const showBlock = useEffectEvent(reveal)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each opened block and thread is shown once.
  useEffect(() => showBlock(), [blockId, threadId])
  const isGone = block === undefined
  useEffect(() => {
    if (isGone) canvas.ui.commenting.set(null)
  }, [isGone, canvas])
  if (!block) return null
  const guest = canvas.isGuest
    ? {
        name: guestName,
        onName: (name: string) => {
          setGuestName(name)
          localStore.write(GUEST_NAME_KEY, name)
          canvas.setGuestName(name || t`Guest`)
        },
      }
    : undefined
  return (
    <Panel key={blockId} title={blockName(block)} subtitle={t`Comments`} takesFocus={false} onClose={close}>
      {/* Whoever comes back to a thread sees its block again. */}
      <div onFocusCapture={reveal} onPointerDown={reveal}>
        <Comments
          takesFocus={threadId === undefined}
          subject={subject}
          noun="block"
          api={api}
          guest={guest}
          threadId={threadId}
        />
      </div>
    </Panel>
  )
}
