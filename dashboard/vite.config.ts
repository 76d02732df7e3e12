import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { contractRoutes } from './bundling/contract-routes.ts'
import { diagramFrame } from './bundling/diagram-frame.ts'
import { precompress } from './bundling/precompress.ts'
import { LANGUAGES, SOURCE_LANGUAGE } from './bundling/translate/catalogue.ts'
import { translate } from './bundling/translate/translate.ts'

const SERVER = 'http://127.0.0.1:3000'

/** `vite build dashboard --mode <language>` builds another language, after the English build. */
export default defineConfig(({ mode }) => ({
  root: import.meta.dirname,
  plugins: [
    translate(LANGUAGES.includes(mode) ? mode : SOURCE_LANGUAGE),
    react(),
    tailwind(),
    contractRoutes(),
    diagramFrame(),
    precompress(),
  ],
  publicDir: LANGUAGES.includes(mode) ? false : 'public',
  // In one file: its policy lets a worker load nothing.
  worker: { format: 'es', rolldownOptions: { output: { codeSplitting: false } } },
  build: {
    outDir: 'dist',
    emptyOutDir: !LANGUAGES.includes(mode),
    modulePreload: {
      polyfill: false,
      // The first page has already loaded the common chunks.
      resolveDependencies: (_file, chunks, { hostType }) =>
        hostType === 'html' ? chunks : chunks.filter((chunk) => !/\/(vendor|rolldown-runtime)-/.test(chunk)),
    },
    // Two chunks for code every page uses. Passkeys, QR codes, formulas, code colors and the canvas load on demand.
    rolldownOptions: {
      output: {
        // The first page contains all chunk names: shorter hashes save 0.2 kB.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules\/(?!lucide-react|@simplewebauthn|uqr|@xyflow|d3-|zustand|classcat|use-sync-external-store|eventsource-parser|markdown-it|linkify-it|highlight\.js|katex|mdurl|simple-icons|uc\.micro|entities|punycode)/,
            },
            // Icons few pages use, and components only one uses, load with those pages.
            {
              name: 'parts',
              minShareCount: 10,
              test: /lucide-react\/(?!.*icons\/file-)/,
            },
            {
              name: 'parts',
              minShareCount: 2,
              // Load with the pages that show them.
              test: /dashboard\/(api\/(?!runs|skills|connect|conversations|payments|mcp-servers|guardrails|upload-file|comments|project-pages|organizations|schedules|sources|files)|state\/|components\/(button|status)\.)|client\/client/,
            },
          ],
        },
      },
    },
    // The first browsers with light-dark(), which the tokens use.
    cssTarget: ['chrome123', 'safari17.5', 'firefox120'],
  },
  server: { proxy: { '/api/v1': SERVER, '/docs': SERVER, '/healthz': SERVER } },
}))
