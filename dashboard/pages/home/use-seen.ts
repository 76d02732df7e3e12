import { useEffect } from 'react'

/**
 * Tells the server that the page is open, and when it is left: news are what happened after that. `keepalive` lets the request
 * outlive the page. If it fails, the news are listed once more.
 */
export function useSeen(isLoaded: boolean) {
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
