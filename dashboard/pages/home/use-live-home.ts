import { useEffect } from 'react'
import { refreshHome } from './home-query.ts'

/** A burst of events refetches the page at most once in this time. */
const REFRESH_EVERY_MS = 3000
const PATH = '/api/v1/webhooks/events/live'
/** The events that can change the page; received requests of other systems do not. */
const ON_PAGE = /^(agent\.(run|approval)|billing|comment|connection|feedback|file|project|task|webhook)\./

/**
 * Follows the events of the organization while the page is open and visible, and refetches the page after
 * events that can change it. `EventSource` resumes after an interruption, and adds no code to the bundle of the page.
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
