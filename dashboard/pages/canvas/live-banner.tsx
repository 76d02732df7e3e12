import { WifiOff } from 'lucide-react'
import { useCanvas } from './canvas-context.ts'

/** Shown while the live connection is lost. */
export function LiveBanner() {
  const { connection, store } = useCanvas()
  const isLost = connection.useSelect((state) => state === 'lost')
  const saving = store.saving.use()
  if (!isLost) return null
  return (
    <p
      role="status"
      className="absolute inset-x-12 top-12 z-20 mx-auto flex w-fit max-w-full items-center gap-8 rounded-round border border-warning-line bg-warning-wash px-16 py-8 text-13 text-warning-text shadow-float"
    >
      <WifiOff aria-hidden className="icon" />
      {saving === 'saved' ? 'Reconnecting…' : 'Reconnecting… Your changes will be saved.'}
    </p>
  )
}
