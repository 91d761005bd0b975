-- For `updated_after` and `source`. Searches go on meanwhile.
create index funders_updated_at on funding.funders (updated_at, id);
do $$
declare
  dataset text;
begin
  foreach dataset in array array['grants', 'contracts'] loop
    execute format('create index %1$s_updated_at on funding.%1$I (updated_at, id)', dataset);
    -- Segments that were made before have no bitmaps of sources. (Of details they need none: no record has any yet.)
    execute format($bitmaps$
      insert into funding.bitmaps (dataset, name, block, bits)
      select %1$L, funding.bitmap_name('source', found.source), found.block,
             extensions.binary_quantize(format('{%%s:1}/%%s', array_to_string(found.positions, ':1,'), found.size)::extensions.sparsevec::extensions.vector)
      from (
        select record.source, blocks.block, blocks.size, array_agg(record.posting_number - blocks.first_slot + 1) as positions
        from funding.blocks join funding.%1$I as record
          on record.posting_number between blocks.first_slot and blocks.first_slot + blocks.size - 1
        where blocks.dataset = %1$L
        group by 1, 2, 3
      ) as found
    $bitmaps$, dataset);
  end loop;
end
$$;
