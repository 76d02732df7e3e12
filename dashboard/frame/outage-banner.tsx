import { useQueryClient } from '@tanstack/react-query'
import { ServerCrash } from 'lucide-react'
import { useEffect } from 'react'
import { type FailedPart, recheckOutage, useOutage } from '../api/reachability.ts'
import { Banner } from './reachability-banner.tsx'

const RECHECK_MS = 4000

const MEANINGS: Record<FailedPart, string> = {
  database: 'The database is unavailable. Showing the last loaded data; changes fail until it responds.',
  objectStorage:
    'Object storage is unavailable. Uploads, downloads and previews fail until it responds; everything else works.',
}

/** Shown while a part of the installation fails: rechecks until it works, then refetches everything. */
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
