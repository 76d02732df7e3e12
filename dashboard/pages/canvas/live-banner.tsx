import { WifiOff } from 'lucide-react'
import { useReportLostStream } from '../../api/reachability.ts'
import { Banner } from '../../frame/banners.tsx'
import { useCanvas } from './canvas-context.ts'

/** Shown to guests above the canvas while the live connection is lost; members see the banner of the frame. */
export function LiveBanner() {
  const { connection, isGuest } = useCanvas()
  const isLost = connection.useSelect((state) => state === 'lost')
  useReportLostStream(isLost && !isGuest)
  if (!isLost || !isGuest) return null
  return <Banner Icon={WifiOff}>Can’t reach the server. Reconnecting…</Banner>
}
