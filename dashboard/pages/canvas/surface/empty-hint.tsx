import { useSyncExternalStore } from 'react'
import { t } from '../../../../contract/text.ts'
import { KEY_HINT, Keys } from '../../../components/kbd.tsx'
import { useCanvas } from '../canvas-context.ts'

export function EmptyHint() {
  const { store, editable } = useCanvas()
  const isEmpty = useSyncExternalStore(store.watch, () => store.items.blocks.size === 0)
  const canEdit = editable.use()
  if (!isEmpty) return null
  return (
    <div className="pointer-events-none absolute inset-0 z-10 flex items-center justify-center p-24">
      <div className="flex max-w-form flex-col gap-12 text-center">
        <h2 className="font-strong text-16">This canvas is empty</h2>
        <p className="text-neutral-11">
          {canEdit ? (
            <>
              <span className="pointer-coarse:hidden">
                Double-click to add text, drop files, paste images and links, or select a tool below.{' '}
              </span>
              <span className="not-pointer-coarse:hidden">Select a tool below, then tap the canvas. </span>
              Everyone sees changes live.
            </>
          ) : (
            t`New blocks appear here automatically.`
          )}
        </p>
        {canEdit && (
          <p className={`flex justify-center gap-16 text-12 text-neutral-11 ${KEY_HINT}`}>
            <span className="flex items-center gap-8">
              <Keys keys="t" /> Text
            </span>
            <span className="flex items-center gap-8">
              <Keys keys="n" /> Note
            </span>
            <span className="flex items-center gap-8">
              <Keys keys="?" /> All shortcuts
            </span>
          </p>
        )}
      </div>
    </div>
  )
}
