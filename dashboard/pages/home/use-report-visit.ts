import { useEffect } from 'react'

/**
 * Reports to the server when the page opens and closes: news are the changes since then. `keepalive` completes the
 * request after the page has closed. If it fails, the news are listed once more.
 */
export function useReportVisit(isLoaded: boolean) {
  useEffect(() => {
    if (!isLoaded) return
    const onHide = () => {
      if (document.visibilityState === 'hidden') report()
    }
    if (document.visibilityState === 'visible') report()
    document.addEventListener('visibilitychange', onHide)
    return () => {
      document.removeEventListener('visibilitychange', onHide)
      report()
    }
  }, [isLoaded])
}

function report() {
  fetch('/api/v1/home/seen', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    keepalive: true,
  }).catch(() => {})
}
