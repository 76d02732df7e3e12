import { useQueryClient } from '@tanstack/react-query'
import { type LucideIcon, ServerCrash, WifiOff } from 'lucide-react'
import { useEffect } from 'react'
import { t } from '../../contract/text.ts'
import {
  type FailedPart,
  recheckOutage,
  useHasLostStream,
  useOutage,
  useReachable,
} from '../api/reachability.ts'
import { sessionQuery } from '../api/session.ts'

const RETRY_MS = 4000

/** While requests fail, polls until one succeeds, then refetches everything. */
export function ReachabilityBanner() {
  const reachable = useReachable()
  const hasLostStream = useHasLostStream()
  const queries = useQueryClient()
  useEffect(() => {
    if (reachable) return
    const timer = setInterval(() => queries.refetchQueries({ queryKey: sessionQuery.queryKey }), RETRY_MS)
    return () => {
      clearInterval(timer)
      void queries.invalidateQueries()
    }
  }, [reachable, queries])
  if (reachable && !hasLostStream) return null
  return (
    <Banner Icon={WifiOff}>Can’t reach the server. Showing the last loaded data while reconnecting…</Banner>
  )
}

export function Banner({ Icon, children }: { Icon: LucideIcon; children: string }) {
  return (
    <p
      role="alert"
      className="flex shrink-0 items-center gap-8 border-warning-line border-b bg-warning-wash px-16 py-8 text-13 text-warning-text md:px-24"
    >
      <Icon aria-hidden className="icon shrink-0" />
      {children}
    </p>
  )
}

const RECHECK_MS = 4000

const MEANINGS: Record<FailedPart, string> = {
  database: t`The database is unavailable. You’re seeing the last loaded data; changes fail until it responds.`,
  objectStorage: t`Object storage is unavailable. Uploads, downloads and previews fail until it responds; everything else works.`,
}

/** Rechecks until everything works, then refetches everything. */
export function OutageBanner() {
  const failed = useOutage()
  const queries = useQueryClient()
  useEffect(() => {
    if (!failed) return
    const timer = setInterval(recheckOutage, RECHECK_MS)
    return () => {
      clearInterval(timer)
      void queries.invalidateQueries()
    }
  }, [failed, queries])
  return failed && <Banner Icon={ServerCrash}>{MEANINGS[failed]}</Banner>
}
