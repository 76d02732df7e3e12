import { useEffect } from 'react'
import { refreshHome } from './home-query.ts'

/** A burst of events reads the page once in this time. */
const REFRESH_EVERY_MS = 3000
const PATH = '/api/v1/webhooks/events/live'
/** Received requests of other systems change nothing on the page. */
const ON_PAGE = /^(agent\.(run|approval)|billing|comment|connection|feedback|file|project|task|webhook)\./

/**
 * Follows the events of the organization while the page is open and visible, and reads the page again after those that it may
 * show. The browser's own client of streams resumes where it was interrupted, and costs the first page no code.
 */
export function useLiveHome(isLoaded: boolean) {
  useEffect(() => {
    if (!isLoaded) return
    let stop = followIfVisible()
    const onChange = () => {
      stop()
      stop = followIfVisible()
    }
    document.addEventListener('visibilitychange', onChange)
    return () => {
      document.removeEventListener('visibilitychange', onChange)
      stop()
    }
  }, [isLoaded])
}

function followIfVisible(): () => void {
  if (document.visibilityState !== 'visible') return () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  const source = new EventSource(PATH)
  source.addEventListener('event', ({ data }) => {
    const { type, direction } = JSON.parse(data as string) as { type: string; direction: string }
    if (direction !== 'internal' || !ON_PAGE.test(type)) return
    timer ??= setTimeout(() => {
      timer = undefined
      void refreshHome()
    }, REFRESH_EVERY_MS)
  })
  return () => {
    clearTimeout(timer)
    source.close()
  }
}
