;; Loops over rows of 32-bit floats, four at once. All arguments are byte offsets into the memory, counts, and
;; widths in floats, which are multiples of four. See kernels.ts.
(module
  (import "env" "memory" (memory 1 65536))

  ;; out += sum of weights[i] * table[ids[i]]
  (func (export "combine")
    (param $out i32) (param $table i32) (param $ids i32) (param $weights i32) (param $count i32) (param $width i32)
    (local $bytes i32) (local $end i32) (local $to i32) (local $from i32) (local $last i32) (local $weight v128)
    (local.set $bytes (i32.shl (local.get $width) (i32.const 2)))
    (local.set $end (i32.add (local.get $ids) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $last (i32.add (local.get $out) (local.get $bytes)))
    (block $done
      (loop $terms
        (br_if $done (i32.ge_u (local.get $ids) (local.get $end)))
        (local.set $weight (v128.load32_splat (local.get $weights)))
        (local.set $from
          (i32.add (local.get $table) (i32.mul (i32.load (local.get $ids)) (local.get $bytes))))
        (local.set $to (local.get $out))
        (loop $columns
          (v128.store (local.get $to)
            (f32x4.add (v128.load (local.get $to))
              (f32x4.mul (local.get $weight) (v128.load (local.get $from)))))
          (local.set $from (i32.add (local.get $from) (i32.const 16)))
          (local.set $to (i32.add (local.get $to) (i32.const 16)))
          (br_if $columns (i32.lt_u (local.get $to) (local.get $last))))
        (local.set $ids (i32.add (local.get $ids) (i32.const 4)))
        (local.set $weights (i32.add (local.get $weights) (i32.const 4)))
        (br $terms))))

  ;; table[ids[i]] += weights[i] * row
  (func (export "spread")
    (param $table i32) (param $ids i32) (param $weights i32) (param $count i32) (param $row i32) (param $width i32)
    (local $bytes i32) (local $end i32) (local $to i32) (local $from i32) (local $last i32) (local $weight v128)
    (local.set $bytes (i32.shl (local.get $width) (i32.const 2)))
    (local.set $end (i32.add (local.get $ids) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $last (i32.add (local.get $row) (local.get $bytes)))
    (block $done
      (loop $terms
        (br_if $done (i32.ge_u (local.get $ids) (local.get $end)))
        (local.set $weight (v128.load32_splat (local.get $weights)))
        (local.set $to
          (i32.add (local.get $table) (i32.mul (i32.load (local.get $ids)) (local.get $bytes))))
        (local.set $from (local.get $row))
        (loop $columns
          (v128.store (local.get $to)
            (f32x4.add (v128.load (local.get $to))
              (f32x4.mul (local.get $weight) (v128.load (local.get $from)))))
          (local.set $from (i32.add (local.get $from) (i32.const 16)))
          (local.set $to (i32.add (local.get $to) (i32.const 16)))
          (br_if $columns (i32.lt_u (local.get $from) (local.get $last))))
        (local.set $ids (i32.add (local.get $ids) (i32.const 4)))
        (local.set $weights (i32.add (local.get $weights) (i32.const 4)))
        (br $terms))))

  ;; out[j] = dot product of row and table[j], for the first `count` rows of the table
  (func (export "products")
    (param $out i32) (param $row i32) (param $table i32) (param $count i32) (param $width i32)
    (local $end i32) (local $at i32) (local $last i32) (local $sum v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $last (i32.add (local.get $row) (i32.shl (local.get $width) (i32.const 2))))
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $sum (v128.const f32x4 0 0 0 0))
        (local.set $at (local.get $row))
        (loop $columns
          (local.set $sum
            (f32x4.add (local.get $sum)
              (f32x4.mul (v128.load (local.get $at)) (v128.load (local.get $table)))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (local.set $table (i32.add (local.get $table) (i32.const 16)))
          (br_if $columns (i32.lt_u (local.get $at) (local.get $last))))
        (f32.store (local.get $out)
          (f32.add
            (f32.add (f32x4.extract_lane 0 (local.get $sum)) (f32x4.extract_lane 1 (local.get $sum)))
            (f32.add (f32x4.extract_lane 2 (local.get $sum)) (f32x4.extract_lane 3 (local.get $sum)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $rows))))

  ;; out[i, j] += left[r, i] * right[r, j] over all rows r; `out` holds 64-bit floats
  (func (export "gram")
    (param $out i32) (param $left i32) (param $right i32) (param $count i32) (param $width i32)
    (local $bytes i32) (local $end i32) (local $i i32) (local $j i32) (local $to i32) (local $last i32)
    (local $factor v128) (local $pair v128)
    (local.set $bytes (i32.shl (local.get $width) (i32.const 2)))
    (local.set $end (i32.add (local.get $left) (i32.mul (local.get $count) (local.get $bytes))))
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $left) (local.get $end)))
        (local.set $to (local.get $out))
        (local.set $i (local.get $left))
        (local.set $left (i32.add (local.get $left) (local.get $bytes)))
        (local.set $last (i32.add (local.get $right) (local.get $bytes)))
        (loop $columns
          (local.set $factor (f64x2.splat (f64.promote_f32 (f32.load (local.get $i)))))
          (local.set $j (local.get $right))
          (loop $others
            (local.set $pair (f64x2.promote_low_f32x4 (v128.load64_zero (local.get $j))))
            (v128.store (local.get $to)
              (f64x2.add (v128.load (local.get $to)) (f64x2.mul (local.get $factor) (local.get $pair))))
            (local.set $j (i32.add (local.get $j) (i32.const 8)))
            (local.set $to (i32.add (local.get $to) (i32.const 16)))
            (br_if $others (i32.lt_u (local.get $j) (local.get $last))))
          (local.set $i (i32.add (local.get $i) (i32.const 4)))
          (br_if $columns (i32.lt_u (local.get $i) (local.get $left))))
        (local.set $right (local.get $last))
        (br $rows))))

  ;; One step of Adam for the rows `ids`, with a rate each; clears their gradients
  (func (export "adam")
    (param $table i32) (param $means i32) (param $squares i32) (param $gradients i32)
    (param $ids i32) (param $rates i32) (param $count i32) (param $width i32)
    (local $bytes i32) (local $end i32) (local $at i32) (local $last i32)
    (local $rate v128) (local $gradient v128) (local $mean v128) (local $square v128)
    (local.set $bytes (i32.shl (local.get $width) (i32.const 2)))
    (local.set $end (i32.add (local.get $ids) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $rows
        (br_if $done (i32.ge_u (local.get $ids) (local.get $end)))
        (local.set $rate (v128.load32_splat (local.get $rates)))
        (local.set $at (i32.mul (i32.load (local.get $ids)) (local.get $bytes)))
        (local.set $last (i32.add (local.get $at) (local.get $bytes)))
        (loop $columns
          (local.set $gradient (v128.load (i32.add (local.get $gradients) (local.get $at))))
          (local.set $mean
            (f32x4.add
              (f32x4.mul (v128.const f32x4 0.9 0.9 0.9 0.9) (v128.load (i32.add (local.get $means) (local.get $at))))
              (f32x4.mul (v128.const f32x4 0.1 0.1 0.1 0.1) (local.get $gradient))))
          (local.set $square
            (f32x4.add
              (f32x4.mul (v128.const f32x4 0.999 0.999 0.999 0.999)
                (v128.load (i32.add (local.get $squares) (local.get $at))))
              (f32x4.mul (v128.const f32x4 0.001 0.001 0.001 0.001)
                (f32x4.mul (local.get $gradient) (local.get $gradient)))))
          (v128.store (i32.add (local.get $means) (local.get $at)) (local.get $mean))
          (v128.store (i32.add (local.get $squares) (local.get $at)) (local.get $square))
          (v128.store (i32.add (local.get $table) (local.get $at))
            (f32x4.sub (v128.load (i32.add (local.get $table) (local.get $at)))
              (f32x4.div (f32x4.mul (local.get $rate) (local.get $mean))
                (f32x4.add (f32x4.sqrt (local.get $square)) (v128.const f32x4 1e-10 1e-10 1e-10 1e-10)))))
          (v128.store (i32.add (local.get $gradients) (local.get $at)) (v128.const i32x4 0 0 0 0))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $columns (i32.lt_u (local.get $at) (local.get $last))))
        (local.set $ids (i32.add (local.get $ids) (i32.const 4)))
        (local.set $rates (i32.add (local.get $rates) (i32.const 4)))
        (br $rows))))
)
