import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractRoutes } from './bundling/contract-routes.ts'
import { precompress } from './bundling/precompress.ts'

const SERVER = 'http://127.0.0.1:3000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind(), contractRoutes(), precompress()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: { polyfill: false },
    // Two chunks for the code of every page. Passkeys, QR codes and the canvas load on demand.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules\/(?!lucide-react|@simplewebauthn|uqr|@xyflow|d3-|zustand|classcat|use-sync-external-store|eventsource-parser)/,
            },
            // An icon or component that only one page uses loads with that page.
            {
              name: 'parts',
              minShareCount: 2,
              // Conversations and Markdown load with the pages that show them.
              test: /dashboard\/(api|components\/(?!conversation|markdown)|state)\/|client\/client|lucide-react/,
            },
          ],
        },
      },
    },
    // The first browsers with light-dark(), which the tokens use.
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
  },
  server: { proxy: { '/api': SERVER, '/docs': SERVER, '/healthz': SERVER } },
})
