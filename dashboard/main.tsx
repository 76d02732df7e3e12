import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { onSignedOut } from './api/client.ts'
import { clearUserQueries, queryClient } from './api/query-client.ts'
import { clearToasts, Toaster } from './components/toast.tsx'
import { router } from './router.tsx'
import { signInSearch } from './state/stored-fragment.ts'
import './app.css'

onSignedOut(() => {
  if (router.state.location.pathname === '/sign-in') return
  const search = signInSearch(router.state.location.href)
  void router.navigate({ to: '/sign-in', search, replace: true }).then(() => {
    clearUserQueries()
    clearToasts()
  })
})

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
      <Toaster />
    </QueryClientProvider>
  </StrictMode>,
)
