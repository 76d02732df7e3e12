import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractRoutes } from './bundling/contract-routes.ts'
import { precompress } from './bundling/precompress.ts'
import { LANGUAGES, SOURCE_LANGUAGE } from './bundling/translate/catalogue.ts'
import { translate } from './bundling/translate/translate.ts'

const SERVER = 'http://127.0.0.1:3000'

/** `vite build dashboard --mode <language>` builds another language, after the build in English. */
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: [
    translate(LANGUAGES.includes(mode) ? mode : SOURCE_LANGUAGE),
    react(),
    tailwind(),
    contractRoutes(),
    precompress(),
  ],
  publicDir: LANGUAGES.includes(mode) ? false : 'public',
  build: {
    outDir: 'dist',
    emptyOutDir: !LANGUAGES.includes(mode),
    modulePreload: {
      polyfill: false,
      // The first page has loaded the common chunks: the preload lists of other pages leave them out.
      resolveDependencies: (_file, chunks, { hostType }) =>
        hostType === 'html' ? chunks : chunks.filter((chunk) => !/\/(vendor|rolldown-runtime)-/.test(chunk)),
    },
    // Two chunks for the code of every page. Passkeys, QR codes and the canvas load on demand.
    rolldownOptions: {
      output: {
        // The first page contains the names of all chunks: hashes that are one character shorter save 0.2 kB.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules\/(?!lucide-react|@simplewebauthn|uqr|@xyflow|d3-|zustand|classcat|use-sync-external-store|eventsource-parser|markdown-it|linkify-it|mdurl|uc\.micro|entities|punycode)/,
            },
            // An icon that few pages use, or a component that only one uses, loads with them.
            {
              name: 'parts',
              minShareCount: 10,
              test: /lucide-react\/(?!.*icons\/file-)/,
            },
            {
              name: 'parts',
              minShareCount: 2,
              // The queries that no first page needs, and the icons of files, load with the pages that show them.
              test: /dashboard\/(api\/(?!runs|skills|connect|conversations|payments|mcp-servers|guardrails|upload-file|comments|project-pages|organizations|schedules|files)|state\/|components\/(button|status)\.)|client\/client/,
            },
          ],
        },
      },
    },
    // The first browsers with light-dark(), which the tokens use.
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
  },
  server: { proxy: { '/api': SERVER, '/docs': SERVER, '/healthz': SERVER } },
}))
