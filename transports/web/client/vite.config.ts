import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Relative addresses, so that one build works below any path; nothing inline, as the policy of the pages asks. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  build: {
    outDir: '../assets',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    manifest: true,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    target: 'es2022',
  },
});
