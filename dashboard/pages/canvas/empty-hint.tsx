import { useSyncExternalStore } from 'react'
import { KEY_HINT, Keys } from '../../components/kbd.tsx'
import { useCanvas } from './canvas-context.ts'

/** What to do with an empty canvas; gone with the first block. */
export function EmptyHint() {
  const { store, editable } = useCanvas()
  const isEmpty = useSyncExternalStore(store.watch, () => store.items.blocks.size === 0)
  const canEdit = editable.use()
  if (!isEmpty) return null
  return (
    <div className="pointer-events-none absolute inset-0 z-10 flex items-center justify-center p-24">
      <div className="flex max-w-form flex-col gap-12 text-center">
        <h2 className="font-strong text-16">
          {canEdit ? 'A canvas to think on' : 'There is nothing here yet'}
        </h2>
        <p className="text-neutral-11">
          {canEdit ? (
            <>
              <span className="pointer-coarse:hidden">
                Double-click anywhere to write. Drop files, paste pictures and links, or take a tool below.{' '}
              </span>
              <span className="not-pointer-coarse:hidden">
                Take a tool below and tap where it should be.{' '}
              </span>
              Everybody who has it open sees it at once.
            </>
          ) : (
            'What others put on this canvas appears here by itself.'
          )}
        </p>
        {canEdit && (
          <p className={`flex justify-center gap-16 text-12 text-neutral-11 ${KEY_HINT}`}>
            <span className="flex items-center gap-8">
              <Keys keys="t" /> text
            </span>
            <span className="flex items-center gap-8">
              <Keys keys="n" /> note
            </span>
            <span className="flex items-center gap-8">
              <Keys keys="?" /> all keys
            </span>
          </p>
        )}
      </div>
    </div>
  )
}
